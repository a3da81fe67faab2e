import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pathOf } from "./descriptor-walk.ts";

/** What was renamed in a pinned directory is durable then. */
export async function syncDirectory(directory: FileHandle): Promise<void> {
  const readable = await open(pathOf(directory), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await readable.sync();
  } finally {
    await readable.close();
  }
}
