import { expect, it } from "vitest";
import { z } from "zod";
import { describeFaults } from "../../src/schema/input-faults.ts";

const shape = z.strictObject({
  text: z.string().min(1).max(5),
  queue: z.enum(["steer", "wait"]).optional(),
  paths: z.array(z.string()).min(2).optional(),
  limit: z.int().max(10).optional(),
});

const told = (input: unknown, wanted = {}) =>
  describeFaults(shape.safeParse(input).error?.issues ?? [], { whole: "the input", ...wanted });

it.each([
  [{}, "text is missing."],
  [{ text: "" }, "text must not be empty."],
  [{ text: "too long" }, "text must have at most 5 characters."],
  [{ text: 5 }, "text: expected string, received number."],
  [{ text: "a", queue: "x" }, `queue: expected one of "steer"|"wait".`],
  [{ text: "a", paths: ["b"] }, "paths must have at least 2 entries."],
  [{ text: "a", paths: ["b", 5] }, "paths.1: expected string, received number."],
  [{ text: "a", limit: 11 }, "limit must be at most 10."],
  [{ text: 5, limit: 11 }, "text: expected string, received number; limit must be at most 10."],
  [[], "the input: expected object, received array."],
])("says of %j: %s", (input, words) => {
  expect(told(input)).toBe(words);
});

it("names an unknown property and, where it is told, those that there are", () => {
  expect(told({ text: "a", foo: 1 })).toBe(`unknown property "foo".`);
  expect(told({ text: "a", foo: 1 }, { known: ["text"] })).toBe(
    `unknown property "foo"; known are text.`,
  );
  expect(told({ text: "a", foo: 1 }, { known: [] })).toBe(`unknown property "foo"; it takes none.`);
});

it("shows a foreign key without its control characters, and not endlessly", () => {
  expect(told({ "text": "a", "\u001b[2J\n": 1 })).toBe(String.raw`unknown property "\u001b[2J\n".`);
  expect(told({ text: "a", ["x".repeat(5000)]: 1 }).length).toBeLessThan(200);
});
