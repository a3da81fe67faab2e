import { expect, it } from "vitest";
import { homeWith, loadedFrom } from "./homes.ts";

it("knows of each setting whence it is: its line, a variable or the default", () => {
  const home = homeWith({
    "config/main.yaml":
      "sessions:\n  queue: steer\nprices: { a/b: { input_usd_per_mtok: 1, output_usd_per_mtok: 2 } }\n",
    "config/providers.d/anthropic.yaml":
      "id: anthropic\ntype: anthropic\napi_key: env:KEY\nbase_url: http://here\n",
  });
  const env = { ANTHROPIC_BASE_URL: "http://there/", KEY: "sk-0123456789" };
  const settings = loadedFrom(home, env).settings();
  const of = (file: string, key: string) =>
    settings.find((setting) => setting.file === `config/${file}` && setting.key === key);
  expect(of("main.yaml", "sessions.queue")).toEqual({
    file: "config/main.yaml",
    key: "sessions.queue",
    value: "steer",
    place: { line: 2, column: 10 },
    variable: null,
  });
  expect(of("main.yaml", "sessions.ttl_minutes")).toMatchObject({ value: 30, place: null });
  expect(of("main.yaml", "prices.a/b.output_usd_per_mtok")).toMatchObject({ place: { line: 3 } });
  expect(of("main.yaml", "connectors")).toMatchObject({ value: [], place: null });
  expect(of("providers.d/anthropic.yaml", "base_url")).toMatchObject({
    value: "http://there/",
    place: null,
    variable: "ANTHROPIC_BASE_URL",
  });
  const elsewhere = loadedFrom(home, { OPENAI_BASE_URL: "http://there/v1/" });
  expect(
    elsewhere.settings().find((setting) => setting.key === "embeddings.base_url"),
  ).toMatchObject({ value: "http://there/v1/", variable: "OPENAI_BASE_URL" });
  expect(elsewhere.config.embeddings.base_url).toBe("http://there/v1");
  expect(of("providers.d/offline.yaml", "id")).toMatchObject({ place: { line: 1 } });
  expect(of("agents.d/main.yaml", "tools.allow")).toMatchObject({ place: null });
  expect(JSON.stringify(settings)).not.toContain("sk-0123456789");
});
