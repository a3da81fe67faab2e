import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/policy/redaction.ts";
import { formsOf } from "../../src/policy/secret-forms.ts";

const secrets = ['sk-ant-"q/7+z 9', "sk-ant-sk-ant-77", "nt-sk-ant-sk", "zzzzzzzz"];
const redactor = createRedactor(secrets);

/** @returns each piece that was told, what was held back last */
function toldOf(pieces: readonly string[]): string[] {
  const stream = redactor.stream();
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
}

function splitAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b)];
  return places.map((place, index) => text.slice(place, places[index + 1] ?? text.length));
}

const literals = secrets.flatMap((secret) => formsOf(secret).literal);
const encoded = secrets.flatMap((secret) => [
  btoa(secret),
  btoa(`key=${secret};`),
  btoa(`a${secret}`),
]);
const harmless = fc.constantFrom(
  "sk-",
  "sk-ant-",
  "nt-",
  " ",
  "zzz",
  "\n",
  "ü",
  "🦀",
  "word",
  '"q/7',
);
const cuts = fc.array(fc.nat(), { maxLength: 12 });
const textOf = (...kinds: fc.Arbitrary<string>[]) =>
  fc.array(fc.oneof(...kinds), { maxLength: 8 }).map((parts) => parts.join(""));

describe("a text that comes in pieces", () => {
  it("is redacted like the whole, wherever it was split", () => {
    const text = textOf(harmless, fc.constantFrom(...literals));
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        expect(toldOf(splitAt(whole, places)).join("")).toBe(redactor.text(whole));
      }),
    );
  });

  it("is redacted alike however it is split, in base64 too, and holds no secret then", () => {
    const text = textOf(harmless, fc.constantFrom(...literals, ...encoded));
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        const told = toldOf(splitAt(whole, places)).join("");
        expect(told).toBe(toldOf([whole]).join(""));
        expect(redactor.text(told)).toBe(told);
      }),
    );
  });

  it("is told at once where no secret can have begun", () => {
    expect(toldOf(["Hello, ", "is it sk", "y?", " Yes."])).toEqual([
      "Hello, ",
      "is it ",
      "sky?",
      " Yes.",
      "",
    ]);
  });

  it("hides a secret at every split of it", () => {
    const [secret = ""] = secrets;
    for (let at = 0; at <= secret.length; at += 1) {
      const told = toldOf([`a ${secret.slice(0, at)}`, `${secret.slice(at)} b`]);
      expect(told.join("")).toBe("a [redacted] b");
    }
    expect(toldOf(Array.from(`a ${secret} b`)).join("")).toBe("a [redacted] b");
  });

  it("tells the beginning of a secret that never came", () => {
    expect(toldOf(["it is sk-ant-"])).toEqual(["it is ", "sk-ant-"]);
  });

  it("leaves out the rest of a base64 run that has a secret in it, in memory of its own size", () => {
    const run = btoa(`key=${secrets[0] ?? ""}`.repeat(2));
    expect(toldOf([run, ...Array.from({ length: 20_000 }, () => "QUJD"), " end"]).join("")).toMatch(
      /^\S{0,8}\[redacted\] end$/,
    );
  });

  it("is passed through as it is where there are no secrets", () => {
    const stream = createRedactor([]).stream();
    expect([stream.push("sk-ant-"), stream.end()]).toEqual(["sk-ant-", ""]);
  });
});
