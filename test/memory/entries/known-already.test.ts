import { describe, expect, it } from "vitest";
import { isKnownAlready } from "../../../src/memory/entries/known-already.ts";

const birthday = "Anna's birthday is on May 3rd.";

describe("what memory told a run is known already", () => {
  it.each([
    [birthday],
    ["anna's  BIRTHDAY is on May 3rd"],
    ["- Anna's birthday is on May 3rd. <!-- -->"],
    ["Note: Anna's birthday is on May 3rd!"],
    ["Remember that Anna's birthday is on May 3rd, please."],
    ["Ａnna's birthday is on May 3rd."],
    ["birthday is on May 3rd"],
  ])("as a whole or in the same words: %s", (text) => {
    expect(isKnownAlready(text, [birthday])).toBe(true);
  });

  it.each([
    ["Anna's birthday is on May 4th."],
    ["Anna's birthday is not on May 3rd."],
    ["Anna's birthday is on May 3rd, and she likes oat milk."],
    ["May"],
    ["Bert's birthday is on May 3rd."],
    ["..."],
    ["note"],
  ])("but not what says something else: %s", (text) => {
    expect(isKnownAlready(text, [birthday])).toBe(false);
  });

  it("in any line of any piece", () => {
    expect(isKnownAlready(birthday, ["Milk is out.", `Plans:\n${birthday}\nand more`])).toBe(true);
    expect(isKnownAlready(birthday, [])).toBe(false);
  });

  it("whose opposite is not: a word that is left out makes another fact", () => {
    expect(isKnownAlready("Anna does like fish.", ["Anna does not like fish."])).toBe(false);
  });
});
