import { expect, it } from "vitest";
import { isBareWord, literalWords } from "../../src/policy/shell-words.ts";

/** Each character is handed over once: what a text costs is its length. */
function counted(text: string): { readonly characters: Iterable<string>; taken(): number } {
  let taken = 0;
  function* characters() {
    for (const character of text) {
      taken += 1;
      yield character;
    }
  }
  return { characters: characters(), taken: () => taken };
}

it.each([
  ["many quoted words", "'a'".repeat(2_600)],
  ["one long word and an open quote", `${"a".repeat(7_999)}"`],
  ["quotes in quotes", `"'"'"'`.repeat(1_300)],
  ["blanks in the middle", `a${" ".repeat(7_998)}b`],
  ["many empty words", "'' ".repeat(2_600)],
  ["backslashes", "\\".repeat(8_000)],
])("looks at each character of %s once at most", (_, text) => {
  const { characters, taken } = counted(text);
  literalWords(characters);
  expect(taken()).toBeLessThanOrEqual(text.length);
});

it("stops at the first character that only a shell can read", () => {
  const { characters, taken } = counted(`ls;${"a".repeat(7_000)}`);
  expect(literalWords(characters)).toBeUndefined();
  expect(taken()).toBe(3);
});

it("knows words in which nothing can hide", () => {
  expect(["", "a-b", "--x=1", "./a.b:c@d", "%1"].every(isBareWord)).toBe(true);
  expect(["a b", "a;b", "$a", "a'b", "*", "ä", "a\n"].some(isBareWord)).toBe(false);
});
