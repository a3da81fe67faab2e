import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { configSchemas } from "../../scripts/generate-config-schemas.ts";
import { configFiles } from "../../src/config/config-files.ts";
import type { ConfigFileKind } from "../../src/config/json-schema.ts";
import { configFileKinds, configSchema } from "../../src/config/json-schema.ts";
import type { Json } from "../../src/schema/json.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
const validators = new Map(configFileKinds.map((kind) => [kind, ajv.compile(configSchema(kind))]));

function schemaTakes(kind: ConfigFileKind, document: unknown): boolean {
  return validators.get(kind)?.(document) === true;
}

function shapeTakes(kind: ConfigFileKind, document: unknown): boolean {
  return configFiles[kind].shape.safeParse(document).success;
}

/** Which regions there are, a schema cannot say. */
function isRefusedForItsZoneAlone(kind: ConfigFileKind, document: unknown): boolean {
  const { error } = configFiles[kind].shape.safeParse(document);
  const issues = error?.issues ?? [];
  const isOfZone = issues.map(({ code, path }) => code === "custom" && path.at(-1) === "timezone");
  return issues.length > 0 && !isOfZone.includes(false);
}

const shippedFiles: readonly (readonly [ConfigFileKind, string])[] = [
  ["main", "config/main.yaml"],
  ["routing", "config/routing.yaml"],
  ["schedules", "config/schedules.yaml"],
  ["agent", "config/agents.d/main.yaml"],
  ["provider", "config/providers.d/anthropic.yaml"],
  ["provider", "config/providers.d/offline.yaml"],
];

describe("the JSON schemas of the configuration", () => {
  it("are those of the shapes, and every committed one is of a kind of file", () => {
    const made = configSchemas();
    for (const { path, content } of made) expect(readFileSync(path, "utf8")).toBe(content);
    expect(readdirSync("docs/schema").map((name) => join("docs/schema", name))).toEqual(
      made.map(({ path }) => path).toSorted(),
    );
  });

  it.each(shippedFiles)(
    "take, as the schema of %s, the shipped %s, which names it",
    (kind, path) => {
      const text = readFileSync(path, "utf8");
      const named = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1] ?? "";
      expect(join("config", path.slice("config/".length), "..", named)).toBe(
        `config/.schema/${kind}.json`,
      );
      expect(schemaTakes(kind, parse(text))).toBe(true);
    },
  );

  it.each<[ConfigFileKind, Json]>([
    ["agent", { id: "main" }],
    ["agent", { id: "../x" }],
    ["agent", { id: "a", workspace: null, roots: ["/srv"] }],
    ["agent", { id: "a", tools: { allow: ["file_raed"] } }],
    ["agent", { id: "a", tools: { risk: { shell_exec: "guarded", web_fetch: "safe" } } }],
    ["agent", { id: "a", tools: { risk: { shell_exce: "safe" } } }],
    ["agent", { id: "a", capabilities: { deny: ["fs.read:a/../b"] } }],
    ["agent", { id: "a", capabilities: { deny: ["fs.*:a..b/**", "net.fetch:*.example.org"] } }],
    ["agent", { id: "a", capabilities: { deny: ["fs.read:/etc/**"] } }],
    ["agent", { id: "a", capabilities: { deny: ["shell.exec: x", "shell.exec:x "] } }],
    ["agent", { id: "a", limits: { max_tool_rounds: 1.5 } }],
    ["agent", { id: "a", identity: { emoji: "🦀".repeat(8) } }],
    ["agent", { id: "a", limits: null }],
    ["provider", { id: "a", type: "offline", api_key: "env:X" }],
    ["provider", { id: "a", type: "openai", api_key: "env:X" }],
    ["provider", { id: "a", type: "anthropic", api_key: "sk-ant" }],
    ["provider", { id: "a", type: "anthropic", api_key: "env:X", base_url: "ftp://x" }],
    ["provider", { id: "a" }],
    ["main", {}],
    ["main", []],
    ["main", { memory: { vector_weight: "auto", max_results: null } }],
    ["main", { memory: { vector_weight: 1.5 } }],
    ["main", { prices: { "a/b": { input_usd_per_mtok: 1, output_usd_per_mtok: 0 } } }],
    ["main", { prices: { b: { input_usd_per_mtok: 1, output_usd_per_mtok: 0 } } }],
    ["main", { connectors: [{ id: "t", type: "telegram", token: "env:T", groups: [-100] }] }],
    ["main", { connectors: [{ id: "t", type: "telegram", token: "t" }] }],
    ["main", { mcp: { servers: { Files: { command: "x" } } } }],
    ["routing", { bindings: [{ match: {}, agent: "a" }] }],
    ["routing", { bindings: [{ match: { user_scope: 1 }, agent: "a" }] }],
    ["schedules", [{ id: "a", cron: "0 0 * * *", command: "RunScheduledConsolidation" }]],
    ["schedules", [{ id: "a", cron: "0 24 * * *", command: "RunScheduledConsolidation" }]],
    ["schedules", {}],
  ])("say of a file of the kind %s what its shape says: %j", (kind, document) => {
    expect(schemaTakes(kind, document)).toBe(shapeTakes(kind, document));
  });

  it("agree with the shapes about whatever a file is changed to", () => {
    const values = fc.constantFrom<Json>(
      null,
      true,
      0,
      1,
      -1,
      1e9,
      0.5,
      "",
      "a",
      "a/b",
      "env:A",
      "auto",
      [],
      [1],
      ["a"],
      {},
      { a: 1 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...shippedFiles), fc.nat(), values, ([kind, path], at, value) => {
        const document = parse(readFileSync(path, "utf8")) as Json;
        const places = placesIn(document, []);
        const changed = withValue(document, places[at % places.length] ?? [], value);
        const isExpected = shapeTakes(kind, changed) || isRefusedForItsZoneAlone(kind, changed);
        expect(schemaTakes(kind, changed)).toBe(isExpected);
      }),
      { numRuns: 250 },
    );
  });

  it("mark what is not used yet", () => {
    const { properties } = configSchema("main");
    expect(properties).toMatchObject({
      mcp: { description: expect.stringContaining("Not used yet.") },
      runs: { description: "All runs of the service together." },
    });
  });
});

function placesIn(value: Json, path: readonly string[]): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]));
  return [path, [...path, "unknown"], ...inner];
}

function withValue(target: Json, [key, ...rest]: readonly string[], value: Json): Json {
  if (key === undefined) return value;
  if (Array.isArray(target))
    return target.map((one, index) => (`${index}` === key ? withValue(one, rest, value) : one));
  const entries = target as { readonly [name: string]: Json };
  return { ...entries, [key]: withValue(entries[key] ?? null, rest, value) };
}
