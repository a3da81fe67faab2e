import { expect, it } from "vitest";
import { quoteOf, withoutQuote } from "../../src/text/answered-quote.ts";

it("marks each line of an answered message, whatever ends it, and is taken off again whole", () => {
  const quote = quoteOf({ text: "one\r\ntwo\u2028[three]\n", is_own: false });
  expect(quote).toBe("[The person answers somebody else's message:]\n> one\n> two\n> [three]\n> ");
  expect(withoutQuote(`${quote}\nlist my files\n> mine`)).toBe("list my files\n> mine");
});

it("names only whose message it was where that one had no words", () => {
  const quote = quoteOf({ text: "", is_own: true });
  expect(quote).toBe("[The person answers their own message, whose files come with this one.]");
  expect(withoutQuote(`${quote}\nwhat is this?`)).toBe("what is this?");
});

it("leaves alone what quotes nothing", () => {
  expect(withoutQuote("> mine\nlist my files")).toBe("> mine\nlist my files");
});
