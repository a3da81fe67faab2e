import { decodedText } from "../../../memory/decoded-text.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";

/** What a file held, for people; "" where there was none. Undefined: that version is not kept any more, or is no text. */
export async function keptText(
  versions: Pick<MemoryVersions, "read">,
  hash: string | null,
): Promise<string | undefined> {
  return hash === null ? "" : decodedText(await versions.read(hash));
}
