import { expect, it } from "vitest";
import { systemPrompt } from "../../src/prompt/system-prompt.ts";

it("says the name first, then what the agent is, how it speaks and what it must not do", () => {
  const persona = {
    name: "Ada",
    system: "You help.\n",
    style: "Be short.",
    safety: " Ask first. ",
  };
  expect(systemPrompt(persona)).toBe("Your name is Ada.\n\nYou help.\n\nBe short.\n\nAsk first.");
});

it("leaves no gap for a part that is empty", () => {
  const persona = { name: "Ada", system: "You help.", style: " \n", safety: "" };
  expect(systemPrompt(persona)).toBe("Your name is Ada.\n\nYou help.");
});
