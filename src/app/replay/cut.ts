import type { Json } from "../../schema/json.ts";

/** Shortening for show. */

export type Cut<T> = { readonly value: T; readonly isCut: boolean };

export function cutText(text: string, most: number): Cut<string> {
  if (text.length <= most) return { value: text, isCut: false };
  const end = text.charCodeAt(most - 1);
  const splitsPair = end >= 0xd800 && end <= 0xdbff;
  return { value: text.slice(0, splitsPair ? most - 1 : most), isCut: true };
}

/** Whole where it is short enough; else its long texts are shortened, each further the longer it is altogether. */
export function cutJson<T extends Json>(value: T, most: number): Cut<T> {
  if (JSON.stringify(value).length <= most) return { value, isCut: false };
  for (let each = most; each > 16; each = Math.floor(each / 4)) {
    const shorter = withShortTexts(value, each);
    if (JSON.stringify(shorter).length <= most) return { value: shorter as T, isCut: true };
  }
  return { value: (Array.isArray(value) ? [] : {}) as T, isCut: true };
}

function withShortTexts(value: Json, most: number): Json {
  if (typeof value === "string") {
    const { value: text, isCut } = cutText(value, most);
    return isCut ? `${text}… (${value.length - text.length} more characters)` : text;
  }
  if (Array.isArray(value)) return value.map((item) => withShortTexts(item, most));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withShortTexts(item, most)]),
  );
}
