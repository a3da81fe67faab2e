import { z } from "zod";

/** What a message lets its task do at most, inside what its agent may: patterns of capabilities. */
export const taskBoundary = z.array(z.string().min(1).max(512)).min(1).max(100);
