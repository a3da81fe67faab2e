import { wholeCharactersIn } from "../../text/whole-characters.ts";

/** For SQLite's JSON functions: of half a character they would make what is no UTF-8, and the driver ends the process when it reads that. */
export function jsonText(value: unknown): string {
  return wholeCharactersIn(JSON.stringify(value));
}
