import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AgentError } from "../../src/schema/errors.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { contextWith } from "./tool-context.ts";

const weigh = (run: () => Promise<string> = () => Promise.resolve("2 kg")) =>
  defineTool({
    name: "weigh",
    description: {
      what: "Weighs a thing.",
      usage: "Name the thing.",
      examples: [{ input: { thing: "a pear" }, means: "its weight" }],
      notFor: "Not for people.",
    },
    input: {
      thing: z.string().min(1).max(40).describe("What to weigh."),
      digits: z.int().min(0).max(9).optional(),
      scale: z.object({ unit: z.enum(["kg", "g"]) }).optional(),
    },
    risk: "safe",
    recovery: "repeat",
    capabilities: ({ thing }) => [`scale.use:${thing}`],
    summary: ({ thing }) => `Weigh ${thing}`,
    run,
  });

describe("a defined tool", () => {
  it("tells the model what, how, examples and when not", () => {
    expect(weigh().description).toBe(
      'Weighs a thing.\n\nName the thing.\n\nExamples:\n- {"thing":"a pear"}: its weight\n\nNot for people.',
    );
  });

  it("derives its parameters from its shape", () => {
    expect(weigh().parameters).toMatchObject({
      type: "object",
      properties: {
        thing: { type: "string", description: "What to weigh." },
        digits: { type: "integer" },
      },
      required: ["thing"],
      additionalProperties: false,
    });
    expect(weigh().parameters).not.toHaveProperty("$schema");
  });

  it.each([
    [{}, "weigh: thing is missing."],
    [{ thing: 7 }, "weigh: thing: expected string, received number."],
    [{ thing: "" }, "weigh: thing must not be empty."],
    [{ thing: "x", digits: 1.5 }, "weigh: digits: expected int, received number."],
    [{ thing: "x", digits: 10 }, "weigh: digits must be at most 9."],
    [{ thing: "x", scale: { unit: "t" } }, 'weigh: scale.unit: expected one of "kg"|"g".'],
    [
      { thing: "x", colour: 1 },
      'weigh: unknown property "colour"; known are thing, digits, scale.',
    ],
    [
      { "thing": "x", "a\x1b[2J": 1 },
      'weigh: unknown property "a\\u{1b}[2J"; known are thing, digits, scale.',
    ],
    ["x", "weigh: the input: expected object, received string."],
    [null, "weigh: the input: expected object, received null."],
  ])("answers %j with the field at fault", (input, message) => {
    expect(weigh().validate(input)).toEqual({ ok: false, message });
  });

  it("takes a valid input", () => {
    expect(weigh().validate({ thing: "a pear", digits: 2 })).toEqual({
      ok: true,
      input: { thing: "a pear", digits: 2 },
    });
  });

  it("I01: refuses hostile keys at every level and changes no prototype", () => {
    for (const text of [
      '{"thing":"x","__proto__":{"isAdmin":true}}',
      '{"thing":"x","scale":{"unit":"kg","__proto__":{"isAdmin":true}}}',
      '{"thing":"x","scale":{"unit":"kg","constructor":1}}',
    ]) {
      expect(weigh().validate(JSON.parse(text))).toMatchObject({
        ok: false,
        message: expect.stringContaining("not allowed"),
      });
    }
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });

  it("I02: refuses an input of 100,000 levels", () => {
    let deep: unknown = null;
    for (let level = 0; level < 100_000; level += 1) deep = { scale: deep };
    expect(weigh().validate(deep)).toMatchObject({
      ok: false,
      message: expect.stringContaining("levels deep"),
    });
  });

  it("computes capabilities and summary from a validated input only", () => {
    expect(weigh().capabilities({ thing: "a pear" })).toEqual(["scale.use:a pear"]);
    expect(weigh().summary({ thing: "a pear" })).toBe("Weigh a pear");
    expect(() => weigh().capabilities({ thing: 1 })).toThrow(
      expect.objectContaining({ code: "tool.invalid_input" }),
    );
  });

  it("gives what its work resolves with", async () => {
    expect(await weigh().run({ thing: "x" }, contextWith())).toEqual({
      output: "2 kg",
      is_error: false,
    });
  });

  it("gives a refusal as an output that begins with the code", async () => {
    const refusing = weigh(() =>
      Promise.reject(
        new AgentError("file.not_found", "There is no x.", { hint: "Look elsewhere." }),
      ),
    );
    expect(await refusing.run({ thing: "x" }, contextWith())).toEqual({
      output: "file.not_found: There is no x. Look elsewhere.",
      is_error: true,
    });
    expect(await refusing.run({ thing: 1 }, contextWith())).toMatchObject({ is_error: true });
  });

  it("passes other errors on", async () => {
    const broken = weigh(() => Promise.reject(new TypeError("broken")));
    await expect(broken.run({ thing: "x" }, contextWith())).rejects.toThrow(TypeError);
    const aborted = weigh(() => Promise.reject(new AgentError("activity.aborted", "stopped")));
    await expect(aborted.run({ thing: "x" }, contextWith())).rejects.toMatchObject({
      code: "activity.aborted",
    });
  });
});
