import { cleanText } from "./clean-text.ts";
import type { JsonObject } from "../schema/json.ts";
import { displayWidth, wrap } from "./text-width.ts";

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

/** Every key with its whole value; what does not fit a line of ours stands behind a bar of its own, so that it cannot be taken
 *  for ours.
 *  @param width columns of the terminal, which breaks longer lines and begins the rest at its edge */
export function shownInput(input: JsonObject, indent: string, width?: number): string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const name = `${indent}${shown(key)}:`;
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    const line = `${name} ${shown(text)}`;
    const fits = width === undefined || displayWidth(line) <= width;
    if (!text.includes("\n") && fits) return [line];
    return [name, ...barred(text, `${indent}  `, width)];
  });
}

export function barred(text: string, indent: string, width?: number): string[] {
  const bar = `${indent}| `;
  return shownLines(text)
    .split("\n")
    .flatMap((line) => (width === undefined ? [line] : wrap(line, roomBeside(bar, width))))
    .map((line) => `${bar}${line}`);
}

/** However narrow the terminal is, some of the text stands in each line. */
export function roomBeside(ours: string, width: number): number {
  return Math.max(8, width - displayWidth(ours) - 1);
}
