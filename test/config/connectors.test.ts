import { describe, expect, it } from "vitest";
import { configOf, faultsOf, homeWith, linesOf, loadedFrom } from "./homes.ts";

const env = { CRM: "crm-secret-0123456789", SHOP: "shop-secret-0123456789" };

/** A home with these connectors, one a line, and a listener in the line above them. */
function homeOf(connectors: readonly string[], listener = "http: { port: 8080 }"): string {
  const list = connectors.map((connector) => `{ ${connector} }`).join(",\n  ");
  return homeWith({ "config/main.yaml": `${listener}\nconnectors: [\n  ${list}\n]\n` });
}

const crm = "id: crm, type: webhook, secret: env:CRM, callback_url: 'http://127.0.0.1:9/in?a=b'";
const bot = "id: tg, type: telegram, token: env:TG";
const called = `${bot}, webhook: { url: 'https://bot.example.org/telegram/tg', secret: env:SHOP }`;

describe("connectors", () => {
  it("of both types stand beside each other, with defaults that let nobody in", () => {
    const config = configOf(
      homeOf([crm, called, `${bot.replaceAll(/tg/gi, "$&2")}, agents: [main]`]),
      env,
    );
    const nobody = { enabled: true, allow_users: [], approvers: [], groups: [], agents: [] };
    expect(config.connectors).toEqual([
      {
        ...nobody,
        id: "crm",
        type: "webhook",
        pairing: false,
        secret: "env:CRM",
        callback_url: "http://127.0.0.1:9/in?a=b",
        callback_secret: null,
        live: false,
      },
      {
        ...nobody,
        id: "tg",
        type: "telegram",
        pairing: true,
        token: "env:TG",
        api_root: "https://api.telegram.org",
        webhook: { url: "https://bot.example.org/telegram/tg", secret: "env:SHOP" },
      },
      {
        ...nobody,
        id: "tg2",
        type: "telegram",
        pairing: true,
        token: "env:TG2",
        api_root: "https://api.telegram.org",
        agents: ["main"],
        webhook: null,
      },
    ]);
    expect(config.http).toEqual({ host: "127.0.0.1", port: 8080 });
  });

  it("are handed their secrets, which no redactor lets through", () => {
    const home = homeOf([`${crm}, callback_secret: env:BACK`, called]);
    const read = loadedFrom(home, { ...env, BACK: "back", TG: "1:token" }).secrets();
    expect(read.connectors).toEqual(
      new Map([
        ["crm", { token: undefined, caller: env.CRM, callback: "back" }],
        ["tg", { token: "1:token", caller: env.SHOP, callback: undefined }],
      ]),
    );
    expect(read.values.toSorted()).toEqual(["1:token", "back", env.CRM, env.SHOP]);
  });

  it("have each a bot of its own, or only one of them is run", () => {
    const tokens = { TG: "1:token", TG2: "1:token" };
    const second = bot.replaceAll(/tg/gi, "$&2");
    expect(linesOf(homeOf([bot, second]), tokens)).toEqual([
      "config/main.yaml:4:37 connectors.1.token: the connector tg has the same token; only one can receive what is sent to a bot",
    ]);
    expect(linesOf(homeOf([bot, `${second}, enabled: false`]), tokens)).toEqual([]);
    expect(linesOf(homeOf([bot, second]), { ...tokens, TG2: "2:token" })).toEqual([]);
  });

  it.each<[string, string, string]>([
    [
      "a callback that is no address of the web",
      crm.replace("http:", "ftp:"),
      "connectors.0.callback_url: not in the right form",
    ],
    [
      "a callback with a password",
      crm.replace("127.0.0.1", "me:pw@127.0.0.1"),
      "connectors.0.callback_url: not in the right form",
    ],
    [
      "a public address without TLS",
      called.replace("https:", "http:"),
      "connectors.0.webhook.url: not in the right form",
    ],
    [
      "a user's number, which is text here",
      `${crm}, allow_users: [7]`,
      "connectors.0.allow_users.0: found a number",
    ],
    [
      "a user's id with a letter that looks like another",
      `${crm}, approvers: ["ann", "аnn"]`,
      "connectors.0.approvers.1: not in the right form",
    ],
    [
      "a group's number without the sign that all of them have",
      `${bot}, groups: [-5, 1001]`,
      "connectors.0.groups.1: found 1001",
    ],
    [
      "a group among those who may write",
      `${bot}, allow_users: [-1001]`,
      "connectors.0.allow_users.0: found -1001",
    ],
    [
      "an agent that is not there",
      `${crm}, agents: [mian]`,
      "connectors.0.agents.0: no agent has this id",
    ],
    ["a key of the other type", `${crm}, token: env:T`, "connectors.0.token: unknown key"],
    ["a type that nobody knows", "id: a, type: webhok", 'connectors.0.type: found "webhok"'],
  ])("are refused with %s", (_name, connector, fault) => {
    const told = faultsOf(homeOf([connector]), env);
    expect(told.map(({ path, message }) => `${path}: ${message}`)).toEqual([fault]);
  });

  it("say which types there are and which was meant", () => {
    const [fault] = faultsOf(homeOf(["id: a, type: webhok"]));
    expect(fault).toMatchObject({ expected: "one of telegram, webhook", nearest: "webhook" });
  });

  it.each([[crm], [called]])("that are called need a listener: %s", (connector) => {
    for (const listener of ["runs: {}", "http: {}", "http: { port: null }"]) {
      const [fault, ...more] = faultsOf(homeOf([connector], listener), env);
      expect(more).toEqual([]);
      expect(fault).toMatchObject({ path: "http.port" });
      expect(fault?.message).toMatch(
        /^is missing, and the connector (crm|tg) is called by others$/,
      );
    }
    const idle = [`${connector}, enabled: false`, bot.replace("id: tg", "id: other")];
    expect(linesOf(homeOf(idle, "http: {}"), env)).toEqual([]);
  });

  it.each(["localhost", "example.org", "127.0.0.1.", "1.2.3", "::g"])(
    "are not listened for at %s",
    (host) => {
      const home = homeOf([], `http: { host: "${host}", port: 1 }`);
      expect(linesOf(home)).toEqual(["config/main.yaml:1:15 http.host: not in the right form"]);
    },
  );
});

describe("T01: the secret of those who call", () => {
  const unset = "the secret is not set: without it, anybody could write here in anybody's name";
  const form = "the secret must be 16 to 256 letters, digits, _ and -, and nothing else";
  const odd = "the secret holds characters that no key has";

  it.each([
    ["is not set", {}, [unset, unset]],
    ["is empty", { CRM: "", SHOP: "" }, [unset, unset]],
    ["is blank", { CRM: "  \n", SHOP: " " }, [unset, unset]],
    ["is short", { CRM: "a".repeat(15), SHOP: "b".repeat(15) }, [form, form]],
    ["is long", { CRM: "a".repeat(257), SHOP: "b".repeat(257) }, [form, form]],
    ["cannot stand in a header", { CRM: `a b${env.CRM}`, SHOP: `ä${env.SHOP}` }, [form, odd]],
  ])("that %s is refused at start, wherever it belongs", (_name, secrets, messages) => {
    const faults = faultsOf(homeOf([crm, called]), secrets);
    expect(faults.map(({ path }) => path)).toEqual([
      "connectors.0.secret",
      "connectors.1.webhook.secret",
    ]);
    expect(faults.map((fault) => fault.message)).toEqual(messages);
    expect(JSON.stringify(faults)).not.toContain("aaa");
  });

  it("must be named", () => {
    const home = homeOf([crm.replace("secret: env:CRM, ", "")]);
    expect(linesOf(home)).toEqual(["config/main.yaml:3:3 connectors.0.secret: is missing"]);
  });

  it("may be missing while nobody can call", () => {
    expect(linesOf(homeOf([`${crm}, enabled: false`]))).toEqual([]);
  });

  it("belongs to one connector", () => {
    const faults = linesOf(homeOf([crm, called]), { CRM: env.CRM, SHOP: env.CRM });
    expect(faults).toEqual([
      "config/main.yaml:4:107 connectors.1.webhook.secret: the connector crm has the same secret; each needs one of its own",
    ]);
  });
});
