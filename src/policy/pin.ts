import type { Json } from "../schema/json.ts";
import { hashOf } from "./canonical-json.ts";

/** What a person's stored grant was given for, beyond its capability: a hash of what is run and how, and one of the files that say
 *  what that means. It covers the calls whose pin is equal. */

export function pinOf(command: Json, files: Json): string {
  return `${hashOf(command)}.${hashOf(files)}`;
}

/** Whether it is the same command, and only its files are others. */
export function differsInFiles(one: string, other: string): boolean {
  const command = one.slice(0, one.indexOf(".") + 1);
  return one !== other && command !== "" && other.startsWith(command);
}
