import { cleanText } from "../../client/clean-text.ts";
import type { JsonObject } from "../../schema/json.ts";

/** Foreign values made fit for a terminal. */

/** On one line. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  return cleanText(typeof value === "string" ? value : JSON.stringify(value), { multiline: false });
}

export function shownLines(text: string): string {
  return cleanText(text, { multiline: true });
}

export function shorten(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Every key with its whole value; long text stands behind a bar of its own, so that it cannot be taken for ours. */
export function shownInput(input: JsonObject, indent: string): string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const name = `${indent}${shown(key)}:`;
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    if (!text.includes("\n")) return [`${name} ${shown(text)}`];
    return [name, ...barred(text, `${indent}  `)];
  });
}

export function barred(text: string, indent: string): string[] {
  return shownLines(text)
    .split("\n")
    .map((line) => `${indent}| ${line}`);
}
