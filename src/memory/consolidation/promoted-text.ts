import type { Item } from "./material.ts";
import { wordsOf } from "./words.ts";

/** Whether a sentence that a model made of entries says no more than they do. */

const spareCharacters = 40;
const roomForWords = 1.25;
const spareWords = 4;
const shareOfNewWords = 1 / 3;
/** Shorter ones are articles and the like. */
const countedLetters = 4;

const control = /\p{Cc}/u;
const markup = /<!--|-->|<\/?[a-z|!]|```|~~~|^\s*(?:#{1,6}\s|>|[-*+]\s)|\[[^\]]*\]\(/iu;
const roles = /^\s*(?:system|assistant|developer|user|human)\s*:|\[\/?inst\]|<\|/iu;
const orders =
  /\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier)\b|\byou (?:are now|must)\b|\bsystem prompt\b/iu;

/** @returns undefined where it may stand; else why not */
export function reasonToRefuse(text: string, entries: readonly Item[]): string | undefined {
  const all = entries.map((entry) => entry.text).join(" ");
  if (text.trim() === "") return "it is empty";
  if (control.test(text)) return "it has more than one line";
  if (text.length > all.length * roomForWords + spareCharacters)
    return "it is longer than its entries";
  if (markup.test(text)) return "it holds markup";
  if ((roles.test(text) && !roles.test(all)) || (orders.test(text) && !orders.test(all)))
    return "it reads like an order to the assistant";
  return reasonInWords(text, entries, all);
}

/** Of the day itself a text may speak: it is what stands for "today". */
function reasonInWords(text: string, entries: readonly Item[], all: string): string | undefined {
  const said = new Set([...wordsOf(all), ...entries.flatMap(dayWords)]);
  const words = wordsOf(text);
  const added = words.filter((each) => !said.has(each));
  const namesMore = added.some((each) => /[\p{N}.@:/_]/u.test(each));
  if (namesMore) return "it names a number or an address that its entries do not name";
  const counted = added.filter((each) => each.length >= countedLetters);
  const most = Math.max(spareWords, words.length * shareOfNewWords);
  return counted.length > most ? "it says what its entries do not say" : undefined;
}

function dayWords({ day }: Item): string[] {
  if (day === null) return [];
  const parts = day.split("-");
  return [day, ...parts, ...parts.map((part) => `${Number(part)}`)];
}
