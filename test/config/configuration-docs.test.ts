import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { configDocument } from "../../scripts/generate-config-docs.ts";
import { configFiles } from "../../src/config/config-files.ts";
import { bareShape } from "../../src/config/shape.ts";

it("keeps docs/configuration.md as the shapes say", () => {
  const { path, content } = configDocument();
  expect(readFileSync(path, "utf8")).toBe(content);
});

it("describes every key of every file", () => {
  const keys = allKeys();
  expect(keys.length).toBeGreaterThan(90);
  const missing = keys.filter(({ shape }) => shape.description === undefined);
  expect(missing.map(({ path }) => path)).toEqual([]);
});

it("gives every number a range", () => {
  const numbers = allKeys().flatMap(({ path, shape }) => numberIn(path, shape));
  expect(numbers.length).toBeGreaterThan(30);
  const endless = numbers.filter(({ number }) => !isBetween(number, 10 ** 15));
  expect(endless.map(({ path }) => path)).toEqual([]);
});

it("gives every text a longest form", () => {
  const texts = allKeys().flatMap(({ path, shape }) => {
    const bare = bareShape(shape);
    return bare instanceof z.ZodString ? [{ path, text: bare }] : [];
  });
  const endless = texts.filter(
    ({ text }) => text.maxLength === null && text.meta()?.title === undefined,
  );
  expect(endless.map(({ path }) => path)).toEqual([]);
});

type Key = { readonly path: string; readonly shape: z.ZodType };

function allKeys(): Key[] {
  return Object.entries(configFiles).flatMap(([kind, { shape }]) => keysBelow(shape, kind));
}

function keysBelow(shape: z.core.$ZodType, path: string): Key[] {
  const bare = bareShape(shape);
  if (bare instanceof z.ZodArray) return keysBelow(bare.element, `${path}[]`);
  if (bare instanceof z.ZodRecord) return keysBelow(bare.valueType, `${path}.*`);
  if (bare instanceof z.ZodDiscriminatedUnion)
    return bare.options.flatMap((option) => keysBelow(option, path));
  if (!(bare instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodType>(bare.shape).flatMap(([key, value]) => [
    { path: `${path}.${key}`, shape: value },
    ...keysBelow(value, `${path}.${key}`),
  ]);
}

function numberIn(path: string, shape: z.ZodType): { path: string; number: z.ZodNumber }[] {
  const bare = bareShape(shape);
  const one = bare instanceof z.ZodArray ? bare.element : bare;
  return one instanceof z.ZodNumber ? [{ path, number: one }] : [];
}

function isBetween({ minValue, maxValue }: z.ZodNumber, most: number): boolean {
  return minValue !== null && maxValue !== null && minValue > -most && maxValue < most;
}
