import type { JsonObject } from "../schema/json.ts";
import { shorten, shown } from "./shown.ts";

const most = 60;

/** A call in a few words: `file_write a.txt`. Never enough to decide by. */
export function callText(tool: string, input: JsonObject): string {
  const values = Object.values(input).map((value) => shown(value));
  const [first] = values;
  return first === undefined ? shown(tool) : `${shown(tool)} ${shorten(first, most)}`;
}
