import type { Json, JsonObject } from "../../schema/json.ts";

/** JSON that is too long to be sent: its longest parts are cut, and say by how much; what is short stays whole. */

/** @param most characters of its text, but for the marks   @returns the value itself where it is short enough */
export function shortenedObject(value: JsonObject, most: number): JsonObject {
  if (lengthOf(value) <= most) return value;
  const entries = Object.entries(value);
  const kept = Object.fromEntries(
    inShares(entries, most).map(([key, part]) => [shortenedText(key, longestKey), part]),
  );
  const left = entries.length - Object.keys(kept).length;
  return left === 0 ? kept : { ...kept, "…": `${left} more keys are left out` };
}

const longestKey = 256;

function shortened(value: Json, most: number): Json {
  if (typeof value === "string") return shortenedText(value, most);
  if (isList(value)) {
    const kept = inShares([...value.entries()], most).map(([, part]) => part);
    const left = value.length - kept.length;
    return left === 0 ? kept : [...kept, `… ${left} more entries are left out`];
  }
  return typeof value === "object" && value !== null ? shortenedObject(value, most) : value;
}

/** Less than that tells nobody anything. */
const leastShare = 64;

/** The first parts, as many as there is room for. Each has an equal share of it; what the short ones leave goes to the long. */
function inShares<Key>(entries: readonly (readonly [Key, Json])[], most: number): [Key, Json][] {
  const first = entries.slice(0, Math.max(1, Math.floor(most / leastShare)));
  const parts = first.map(([key, part], place) => ({ key, part, place, length: lengthOf(part) }));
  let room = most;
  let waiting = parts.length;
  const cut = parts
    .toSorted((a, b) => a.length - b.length)
    .map(({ part, length, ...rest }) => {
      const share = Math.floor(room / waiting);
      room -= Math.min(length, share);
      waiting -= 1;
      return { ...rest, part: length <= share ? part : shortened(part, share) };
    });
  return cut.toSorted((a, b) => a.place - b.place).map(({ key, part }) => [key, part]);
}

function shortenedText(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${start}… ${text.length - start.length} more characters are left out`;
}

function lengthOf(value: Json): number {
  return JSON.stringify(value).length;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
