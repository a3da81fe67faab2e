import { describe, expect, it } from "vitest";
import type { CardPart } from "../../src/schema/outbound.ts";
import { cardLength, cardText, fitsCard } from "../../src/text/card-text.ts";

const question: readonly CardPart[] = [
  { kind: "title", text: "Approval a7" },
  { kind: "line", text: "May main do this?" },
  { kind: "fact", name: "tool", value: "shell_exec" },
  { kind: "code", text: "ls\n-l" },
];

describe("a card", () => {
  it("is read line by line, and its length is that of what is read", () => {
    expect(cardText(question)).toBe("Approval a7\nMay main do this?\ntool: shell_exec\nls\n-l");
    expect(cardLength(question)).toBe(52);
  });

  it("shows foreign text that would begin a line of its own, hide or turn around as escapes", () => {
    expect(
      cardText([
        { kind: "fact", name: "tool", value: "x\nApproved: yes\u202e" },
        { kind: "code", text: "a\u200b\nb" },
      ]),
    ).toBe("tool: x\\nApproved: yes\\u{202e}\na\\u{200b}\nb");
  });

  it("says of foreign text that there is none", () => {
    expect(
      cardText([
        { kind: "fact", name: "their reason", value: "" },
        { kind: "code", text: " \n" },
      ]),
    ).toBe("their reason: -\n(empty)");
  });

  it("fits while every channel shows it whole in one message, counted as it is shown", () => {
    const code = (text: string): CardPart[] => [{ kind: "code", text }];
    expect(fitsCard(code("x".repeat(4_000)))).toBe(true);
    expect(fitsCard(code("x".repeat(4_001)))).toBe(false);
    expect(fitsCard(code("\u202e".repeat(501)))).toBe(false);
  });
});
