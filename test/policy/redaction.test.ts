import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/policy/redaction.ts";

const secret = 'sk-ant-api03/A+b="c\\d é?';
const { text, json } = createRedactor([secret, "plain-secret-1"]);

function base64(value: string): string {
  return Buffer.from(value).toString("base64");
}

describe("L04: a known secret is replaced in a text", () => {
  it.each([
    ["as it is", secret],
    ["in base64", base64(secret)],
    ["in base64url", Buffer.from(secret).toString("base64url")],
    ["percent-encoded", encodeURIComponent(secret)],
    [
      "percent-encoded in lower case",
      encodeURIComponent(secret).replaceAll(/%../g, (hex) => hex.toLowerCase()),
    ],
    ["in a form", new URLSearchParams({ k: secret }).toString().slice(2)],
    ["inside JSON", JSON.stringify(secret).slice(1, -1)],
    ["inside JSON inside JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ])("%s", (_name, form) => {
    expect(text(`a ${form} b ${form}`)).toBe("a [redacted] b [redacted]");
  });

  it.each(["", "x", "me:", "you:"])(
    "in the base64 of a longer text that begins with %j",
    (before) => {
      expect(text(`Basic ${base64(`${before}plain-secret-1${before}`)}, next`)).toBe(
        "Basic [redacted], next",
      );
    },
  );

  it("when two secrets overlap or one holds the other", () => {
    const redactor = createRedactor(["abcdefgh-1", "1-ijklmnop", "abcdefgh"]);
    expect(redactor.text("<abcdefgh-1-ijklmnop> <abcdefgh-2>")).toBe("<[redacted]> <[redacted]-2>");
  });
});

describe("what holds no secret", () => {
  it("stays the same text and the same object", () => {
    const value = { a: ["x", { b: null, c: 1n, d: new Date(0) }] };
    expect(text("nothing here")).toBe("nothing here");
    expect(json(value)).toBe(value);
    expect(json(undefined)).toBeUndefined();
  });

  it("is not touched by a secret too short to be one, nor by none", () => {
    expect(createRedactor(["short", ""]).text("short")).toBe("short");
  });
});

describe("values", () => {
  it("lose the secret in strings and keys, at any depth, and nothing else", () => {
    const clean = json({
      "plain-secret-1": 1,
      "list": [{ text: "is plain-secret-1", same: true }],
    });
    expect(clean).toEqual({ "[redacted]": 1, "list": [{ text: "is [redacted]", same: true }] });
  });

  it("keep an own __proto__ as data", () => {
    const clean = json(JSON.parse('{"__proto__":{"k":"plain-secret-1"}}') as object);
    expect(Object.getPrototypeOf(clean)).toBe(Object.prototype);
    expect(JSON.stringify(clean)).toBe('{"__proto__":{"k":"[redacted]"}}');
  });

  it("lose it also where only JSON would show it", () => {
    expect(json({ url: new URL("https://host/?k=plain-secret-1") })).toEqual({
      url: "https://host/?k=[redacted]",
    });
  });

  it("never make it throw", () => {
    const circular: Record<string, unknown> = { k: "plain-secret-1" };
    circular["self"] = circular;
    expect(json(circular)).toEqual({ k: "[redacted]", self: "[redacted]" });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const angry = Object.defineProperty({}, "x", { enumerable: true, get: () => fail() });
    expect(json([proxy, angry, "ok"])).toEqual(["[redacted]", "[redacted]", "ok"]);
    const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown;
    expect(JSON.stringify(json(deep))).toContain("[redacted]");
  });
});

function fail(): never {
  throw new Error("read me not");
}

describe("for any secrets and texts", () => {
  it("none is left, and what stands around them is", () => {
    const anySecret = fc.string({ minLength: 8, maxLength: 20, unit: "grapheme" });
    fc.assert(
      fc.property(
        fc.array(anySecret, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat({ max: 9 })),
        (secrets, order) => {
          const redactor = createRedactor(secrets);
          const dirty = order.map((index) => `${secrets[index] ?? "\u0001"}\u0002`).join("");
          const clean = redactor.text(dirty);
          expect(secrets.filter((one) => clean.includes(one))).toEqual([]);
          expect(clean.split("\u0002")).toHaveLength(order.length + 1);
        },
      ),
    );
  });

  it("each character is read once, however the text tries to mislead it", () => {
    const many = createRedactor(
      Array.from({ length: 20 }, (_, index) => `${"a".repeat(40)}${index}`),
    );
    let reads = 0;
    const counted = { length: 20_000, charCodeAt: () => ((reads += 1), 97), slice: () => "" };
    many.text(counted as unknown as string);
    expect(reads).toBe(20_000);
  });
});
