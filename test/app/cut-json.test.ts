import { expect, it } from "vitest";
import { cutJson } from "../../src/app/records/cut-json.ts";

it("leaves what is small as it is", () => {
  const value = { a: [1, "two", null, { b: true }], c: {} };
  expect(cutJson(value, 1_000)).toEqual(value);
});

it("says where something is missing, and how much", () => {
  expect(cutJson("x".repeat(5_000), 10_000)).toBe(`${"x".repeat(2_000)}… (5000 characters)`);
  const list = cutJson(
    Array.from({ length: 150 }, (_, index) => index),
    10_000,
  ) as unknown[];
  expect([list.length, list.at(-1)]).toEqual([101, "… (50 more)"]);
  const record = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`k${index}`, 1]));
  expect(cutJson(record, 10_000)).toMatchObject({ "k0": 1, "…": "… (20 more)" });
});

it("keeps to the size of the whole, however deep and wide it is", () => {
  let deep: { readonly [key: string]: never } | object = {};
  for (let depth = 0; depth < 1_000; depth += 1) deep = { deep };
  const wide = Array.from({ length: 90 }, () =>
    Array.from({ length: 90 }, () => "word".repeat(90)),
  );
  const cut = cutJson({ deep, wide } as never, 10_000);
  expect(JSON.stringify(cut).length).toBeLessThan(20_000);
  expect(JSON.stringify(cut)).toContain("…");
});
