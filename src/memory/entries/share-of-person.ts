import { type Entry, parseEntries } from "./entries.ts";

/** How much of a file one person may fill: half of what all others leave of it. So nobody alone uses it up, and whoever comes later
 *  finds room. */

export type Room = {
  /** Absent: as many as there is room for. */
  readonly entries?: number;
  readonly bytes: number;
};

/** @param text of a file, with what is new at its end   @returns who has more than a share of it with that; undefined: nobody */
export function personBeyondShare(text: string, room: Room): string | undefined {
  const entries = parseEntries(text);
  const person = personBehind(entries.at(-1));
  if (person === undefined) return undefined;
  const own = entries.filter((entry) => personBehind(entry) === person);
  const isWithin =
    isShare(own.length, entries.length, room.entries ?? Infinity) &&
    isShare(bytesOfEntries(text, own), bytesOf(text), room.bytes);
  return isWithin ? undefined : person;
}

/** Where all together are too much, that is nobody's in particular. */
function isShare(own: number, all: number, most: number): boolean {
  return all > most || own <= (most - (all - own)) / 2;
}

/** Who said it stands first among those whose text it is. */
function personBehind(entry: Entry | undefined): string | undefined {
  return entry?.origins.find((origin) => origin.startsWith("user:"));
}

function bytesOfEntries(text: string, entries: readonly Entry[]): number {
  const lines = text.split("\n");
  const parts = entries.flatMap(({ line_start, line_end }) =>
    lines.slice(line_start - 1, line_end),
  );
  return bytesOf(parts.join("\n"));
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
