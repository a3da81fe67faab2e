import { z } from "zod";

export const mostPatterns = 100;

/** What a message lets its task do at most, inside what its agent may: patterns of capabilities. */
export const taskBoundary = z.array(z.string().min(1).max(512)).min(1).max(mostPatterns);
