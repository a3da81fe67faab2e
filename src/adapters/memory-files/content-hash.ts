import { createHash } from "node:crypto";

/** What a version is called by, and a file's contents are known by. */
export function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
