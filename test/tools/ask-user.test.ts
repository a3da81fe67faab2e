import { describe, expect, it } from "vitest";
import { askUserTool } from "../../src/tools/ask-user.ts";
import { contextWith } from "./tool-context.ts";

describe("ask_user", () => {
  it("puts a question, with options where there are some", () => {
    expect(askUserTool.asks?.({ question: "Which one?" })).toEqual({ question: "Which one?" });
    expect(askUserTool.asks?.({ question: "Which one?", options: ["a", "b"] })).toEqual({
      question: "Which one?",
      options: ["a", "b"],
    });
  });

  it("needs no capability and is one visible line for people", () => {
    expect(askUserTool.capabilities({ question: "Which one?" })).toEqual([]);
    expect(askUserTool.summary({ question: "Which\none?" })).toBe("Ask: Which\\u{a}one?");
  });

  it.each([
    { question: " " },
    { question: "x", options: ["only one"] },
    { question: "x", options: ["a", ""] },
    {},
  ])("refuses %j", (input) => {
    expect(askUserTool.validate(input).ok).toBe(false);
  });

  it("is never executed", async () => {
    await expect(askUserTool.run({ question: "x" }, contextWith())).rejects.toMatchObject({
      code: "internal",
    });
  });
});
