import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutKeyParts } from "../../src/policy/key-parts.ts";

const key = "sk-ant-0123456789-ABCDEFGHIJ";

it("takes a key out of a text, whole and cut short", () => {
  expect(withoutKeyParts(`invalid x-api-key: ${key}`, key)).toBe("invalid x-api-key: [key]");
  expect(withoutKeyParts("your key sk-ant-01... ending in GHIJ", key)).toBe(
    "your key [key]... ending in [key]",
  );
  expect(withoutKeyParts("Not found: the model", key)).toBe("Not found: the model");
});

it("leaves no four characters of a key in any text", () => {
  const character = fc.constantFrom("a", "b", "c", "d", "e", "f");
  const word = fc.string({ unit: character, minLength: 4, maxLength: 12 });
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "c", "d", "e", "f", " ", "."),
    maxLength: 60,
  });
  fc.assert(
    fc.property(word, text, (secret, said) => {
      const clean = withoutKeyParts(said, secret).replaceAll("[key]", "#");
      for (let at = 0; at + 4 <= secret.length; at += 1)
        expect(clean).not.toContain(secret.slice(at, at + 4));
    }),
  );
});
