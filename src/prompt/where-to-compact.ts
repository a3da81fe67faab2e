import type { Cut } from "../schema/contexts/session-context.ts";
import type { Message } from "../schema/rows/session-rows.ts";

/** Where a conversation may begin later between two runs: before a whole exchange, or after the last one, of which then what the
 *  person said and the answer stay. No call is ever parted from its result. */

type Row = Pick<Message, "role" | "content" | "run_id" | "position">;

/** What may be left, in messages and in bytes of their content. */
export type Room = { readonly messages: number; readonly bytes: number };

/** @param rows what is shown now, oldest first: what an earlier cut kept, and all since; every run in it has ended
 *  @returns undefined where nothing can go */
export function whereToCompact(rows: readonly Row[], room: Room): Cut | undefined {
  const sizes = rows.map(sizeOf);
  let messages = rows.length;
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  const places = new Set(placesBetween(rows));
  for (const [index, size] of sizes.entries()) {
    const first = rows[index];
    if (places.has(index) && messages <= room.messages && bytes <= room.bytes)
      return first === undefined ? undefined : { from_position: first.position, kept: [] };
    messages -= 1;
    bytes -= size;
  }
  return afterLast(rows, room);
}

/** Before the newest exchange; undefined where there is only one. */
export function beforeNewest(rows: readonly Row[]): Cut | undefined {
  const place = placesBetween(rows).at(-1);
  const first = place === undefined ? undefined : rows[place];
  return first === undefined ? undefined : { from_position: first.position, kept: [] };
}

/** Of what is stored; what a model is sent differs little. */
export function sizeOf({ content }: Row): number {
  return JSON.stringify(content).length;
}

/** Indexes at which an exchange begins, but the first of all. */
function placesBetween(rows: readonly Row[]): number[] {
  const seen = new Set<string>();
  const places: number[] = [];
  for (const [index, { role, run_id }] of rows.entries()) {
    if (index > 0 && role === "user" && !seen.has(run_id)) places.push(index);
    seen.add(run_id);
  }
  return places;
}

/** The last exchange alone is too much: its ends stay, as far as there is room for them. */
function afterLast(rows: readonly Row[], room: Room): Cut | undefined {
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const said = rows.filter(({ role, run_id }) => role === "user" && run_id === last.run_id);
  const isAnswer = last.role === "assistant" && last.content.every(({ type }) => type === "text");
  const ends = isAnswer && said.length > 0 ? [...said, last] : said;
  const fits = ends.reduce((sum, row) => sum + sizeOf(row), 0) <= room.bytes;
  const kept = fits && ends.length <= room.messages ? ends : [];
  return { from_position: last.position + 1, kept: kept.map(({ position }) => position) };
}
