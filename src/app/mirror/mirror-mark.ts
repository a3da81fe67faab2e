import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Message } from "../../schema/rows/session-rows.ts";

/** Up to which message the files on the disk are complete; it stands in their directory, and goes with it. */

const mark = z.strictObject({ position: z.int(), session_id: z.string(), at: z.int() });
export type MirrorMark = z.output<typeof mark>;

const name = ".mirrored";

export function markOf({ position, session_id, at }: Message): MirrorMark {
  return { position, session_id, at };
}

/** Whether the row is what the mark was set at: after a restored database another may have its position. */
export function isAt(marked: Pick<MirrorMark, "session_id" | "at">, row: Message | undefined) {
  return row?.session_id === marked.session_id && row.at === marked.at;
}

/** Undefined where there is none that can be read. */
export async function readMark(directory: string): Promise<MirrorMark | undefined> {
  try {
    return mark.safeParse(JSON.parse(await readFile(join(directory, name), "utf8"))).data;
  } catch {
    return undefined;
  }
}

export async function writeMark(directory: string, value: MirrorMark): Promise<void> {
  const unfinished = join(directory, `${name}.unfinished`);
  const handle = await open(unfinished, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(value)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, join(directory, name));
}
