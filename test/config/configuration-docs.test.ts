import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { configDocument } from "../../scripts/generate-config-docs.ts";
import { bareShape } from "../../src/config/shape.ts";
import {
  agentFile,
  anthropicProvider,
  mainFile,
  offlineProvider,
} from "../../src/schema/config.ts";

it("keeps docs/configuration.md as the shapes say", () => {
  const { path, content } = configDocument();
  expect(readFileSync(path, "utf8")).toBe(content);
});

it("describes every key of every file", () => {
  const shapes = {
    main: mainFile,
    agent: agentFile,
    anthropic: anthropicProvider,
    offline: offlineProvider,
  };
  const missing = Object.entries(shapes).flatMap(([name, shape]) => undescribed(shape, name));
  expect(missing).toEqual([]);
});

it("gives every number a range", () => {
  const numbers = [mainFile, agentFile, anthropicProvider].flatMap((shape) => numbersIn(shape));
  expect(numbers.length).toBeGreaterThan(8);
  expect(numbers.filter((number) => number.maxValue === null || number.maxValue > 2 ** 32)).toEqual(
    [],
  );
});

function undescribed(shape: z.ZodObject, path: string): string[] {
  return Object.entries(shape.shape).flatMap(([key, value]) => {
    const here = `${path}.${key}`;
    const bare = bareShape(value);
    const inner = bare instanceof z.ZodObject ? undescribed(bare, here) : [];
    return value instanceof z.ZodType && value.description !== undefined ? inner : [here, ...inner];
  });
}

function numbersIn(shape: z.ZodObject): z.ZodNumber[] {
  return Object.values(shape.shape).flatMap((value) => {
    const bare = bareShape(value);
    if (bare instanceof z.ZodObject) return numbersIn(bare);
    return bare instanceof z.ZodNumber ? [bare] : [];
  });
}
