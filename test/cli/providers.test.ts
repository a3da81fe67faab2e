import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { homeWith } from "../config/homes.ts";
import { apiError, type Script, says, startAnthropicServer } from "../support/anthropic-server.ts";
import { run } from "./support/fake-terminal.ts";

/** With no service: these commands read the configuration and, for `test`, ask the providers themselves. */

const key = "sk-ant-0123456789-ABCDEFGHIJ";

const anthropic = (url: string) =>
  `id: anthropic\ntype: anthropic\napi_key: env:ANTHROPIC_API_KEY\nbase_url: ${url}\n`;

async function serverThat(script: Script): Promise<string> {
  const server = await startAnthropicServer(script);
  onTestFinished(() => server.close());
  return homeWith({ "config/providers.d/anthropic.yaml": anthropic(server.url) });
}

async function ask(home: string, args: readonly string[], env = {}) {
  return run([...args, "--home", home], { env });
}

const listed = z.strictObject({
  ok: z.literal(true),
  data: z.strictObject({
    providers: z.array(
      z.strictObject({
        id: z.string(),
        type: z.string(),
        base_url: z.string().nullable(),
        api_key: z.string().nullable(),
        key: z.enum(["set", "missing", "not needed"]),
        default_model: z.string().nullable(),
        used_by: z.array(z.string()),
      }),
    ),
    auto: z.string().nullable(),
    without_model: z.array(z.strictObject({ agent: z.string(), message: z.string() })),
  }),
});

it("lists who could answer, where the key is looked for, and what auto stands for", async () => {
  const home = homeWith({ "config/providers.d/anthropic.yaml": anthropic("http://127.0.0.1:1") });
  const without = listed.parse(JSON.parse((await ask(home, ["providers", "list", "--json"])).out));
  expect(without.data.auto).toBe("offline/rules");
  expect(without.data.providers[0]).toEqual({
    id: "anthropic",
    type: "anthropic",
    base_url: "http://127.0.0.1:1",
    api_key: "env:ANTHROPIC_API_KEY",
    key: "missing",
    default_model: "claude-sonnet-5-5",
    used_by: [],
  });
  const env = { ANTHROPIC_API_KEY: key };
  const { out } = await ask(home, ["providers", "list", "--json"], env);
  const { data } = listed.parse(JSON.parse(out));
  expect(data.auto).toBe("anthropic/claude-sonnet-5-5");
  expect(data.providers[0]).toMatchObject({ key: "set", used_by: ["main"] });
  expect(out).not.toContain(key);
});

it("names agents that no provider can answer for", async () => {
  const agent = "id: main\nmodel_policy: { primary: anthropic/claude-sonnet-5-5 }\n";
  const home = homeWith({
    "config/agents.d/main.yaml": agent,
    "config/providers.d/anthropic.yaml": anthropic("http://127.0.0.1:1"),
  });
  const { code, out } = await ask(home, ["providers", "list"]);
  expect(code).toBe(0);
  expect(out).toContain('main has no model: No configured provider offers "anthropic/');
});

it("asks a provider for one token with the model of its agent", async () => {
  const asked: unknown[] = [];
  const home = await serverThat((request) => {
    asked.push([request.model, request.max_tokens]);
    return says("p");
  });
  const { code, out } = await ask(home, ["providers", "test"], { ANTHROPIC_API_KEY: key });
  expect(out).toMatch(
    /^anthropic\/claude-sonnet-5-5 answers \(\d+ ms\)\noffline\/rules answers \(/,
  );
  expect(code).toBe(0);
  expect(asked).toEqual([["claude-sonnet-5-5", 1]]);
});

it("does not ask a provider without a key, which is a failure only where it was asked for by name", async () => {
  const home = homeWith({ "config/providers.d/anthropic.yaml": anthropic("http://127.0.0.1:1") });
  expect((await ask(home, ["providers", "test"])).code).toBe(0);
  const { code, out } = await ask(home, ["providers", "test", "anthropic"]);
  expect(code).toBe(1);
  expect(out).toContain(
    "anthropic was not asked: model.auth: anthropic has no key: env:ANTHROPIC_API_KEY",
  );
});

it.each([
  ["refuses the key", apiError(401, "authentication_error", "bad key"), 1, "model.auth"],
  ["knows no such model", apiError(404, "not_found_error", "model: x"), 1, "model.invalid_request"],
  ["is overloaded", apiError(529, "overloaded_error", "Overloaded"), 75, "model.overloaded"],
  ["limits the rate", apiError(429, "rate_limit_error", "slow down"), 75, "model.rate_limited"],
  ["hangs up", { reset: true }, 75, "model.unreachable"],
  ["answers with junk", { junk: "<html>" }, 1, "model.bad_response"],
])("says what a provider does that %s", async (_does, reply, exitCode, errorCode) => {
  const home = await serverThat(() => reply);
  const env = { ANTHROPIC_API_KEY: key };
  const { code, out } = await ask(home, ["providers", "test", "anthropic", "--json"], env);
  expect(JSON.parse(out)).toMatchObject({
    ok: true,
    data: [{ id: "anthropic", state: "fails", error: { code: errorCode } }],
  });
  expect(code).toBe(exitCode);
});

it("waits no longer than it was told to", async () => {
  const home = await serverThat(() => ({ hang: true }));
  const env = { ANTHROPIC_API_KEY: key };
  const { code, out } = await ask(home, ["providers", "test", "--timeout", "150"], env);
  expect(code).toBe(75);
  expect(out).toContain("fails (");
  expect(out).toContain("model.timeout: No answer within 150 ms.");
});

it("shows nothing of a key that the server echoes whole, in base64 or cut short", async () => {
  const encoded = Buffer.from(key).toString("base64");
  const echo = `no key ${key}; ${encoded}; ${key.slice(0, 12)}...${key.slice(-4)}`;
  const home = await serverThat(() => apiError(401, "authentication_error", echo));
  const env = { ANTHROPIC_API_KEY: key };
  for (const more of [[], ["--json"]]) {
    const { out, err } = await ask(home, ["providers", "test", "anthropic", ...more], env);
    expect(err).toBe("");
    expect(out).toContain("The provider answered 401: no key ");
    for (let at = 0; at + 4 <= key.length; at += 1)
      expect(out).not.toContain(key.slice(at, at + 4));
    expect(out).not.toContain(encoded.slice(2, 10));
  }
});

it("refuses an unknown provider, and an invalid configuration", async () => {
  expect((await ask(homeWith(), ["providers", "test", "nobody"])).code).toBe(6);
  const broken = homeWith({ "config/main.yaml": "nope: 1\n" });
  expect((await ask(broken, ["providers", "list"])).code).toBe(78);
});
