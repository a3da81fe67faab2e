import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatFault } from "../../src/config/config-fault.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { configOf, faultsOf, homeWith, linesOf, temporaryDirectory } from "./homes.ts";

const agent = "config/agents.d/main.yaml";

describe("a configuration in order", () => {
  it("fills in the defaults, absolute paths and prompts", () => {
    const home = homeWith({ "prompts/main/style.md": "Be brief.\n" });
    expect(configOf(home)).toEqual({
      home,
      budget: { day: { tokens: null, usd: null } },
      connectors: [],
      http: { host: "127.0.0.1", port: null },
      gateway: {
        rate_limit: { capacity: 20, refill_per_minute: 20 },
        global_rate_limit: { capacity: 200, refill_per_minute: 600 },
      },
      sessions: {
        history_messages: 40,
        context_strategy: "summarize",
        max_context_tokens: 100_000,
        episodes: true,
        ttl_minutes: 30,
        queue: "follow_up",
      },
      memory: {
        preset: "tuned",
        max_results: null,
        vector_weight: null,
        min_score: null,
        relative_cut: null,
        candidates: null,
        chunk_tokens: null,
        overlap_tokens: null,
        context_chunks: null,
        recall_tokens: null,
        consolidation: { promote: true, forget_after_days: 90 },
      },
      embeddings: {
        provider: "builtin",
        model: null,
        base_url: "https://api.openai.com/v1",
        api_key: null,
        dimensions: null,
        shorten: false,
        timeout_ms: 30_000,
        batch: 32,
        max_chars: 8_000,
        document_prefix: "",
        query_prefix: "",
      },
      engine: {
        type: "libsql",
        url: `file:${home}/data/statehive.db`,
        durability: "power",
        auth_token: null,
        retention: {
          journal_days: 30,
          audit_days: 365,
          usage_days: 365,
          memory_days: 365,
          memory_megabytes: 1_000,
        },
      },
      shell: { unconfined: "refuse" },
      runs: { max_concurrent: 8 },
      logs: { level: "info", max_bytes: 10_000_000, files: 7 },
      prices: {},
      mcp: { servers: {} },
      routing: { default_agent: "main", bindings: [] },
      schedules: [],
      providers: [{ id: "offline", type: "offline" }],
      agents: [
        {
          id: "main",
          enabled: true,
          identity: { name: "main", emoji: null, avatar: null, public_label: "main" },
          model_policy: { primary: "auto", fallbacks: [], max_tokens: 4096, thinking: "none" },
          workspace: `${home}/workspace/main`,
          roots: [],
          tools: {
            allow: [
              "file_read",
              "file_list",
              "file_search",
              "file_write",
              "file_edit",
              "shell_exec",
              "web_fetch",
              "memory_write",
              "memory_search",
              "session_search",
              "ask_user",
            ],
            risk: {},
            offer_max: 20,
          },
          capabilities: {
            boundary: [
              "fs.read:**",
              "fs.write:**",
              "shell.exec:*",
              "net.fetch:*",
              "memory.read:*",
              "memory.write:own",
            ],
            grant: ["fs.read:**", "memory.write:own"],
            deny: ["fs.read:**/.env", "fs.write:**/.env"],
          },
          limits: {
            max_tool_rounds: 25,
            max_identical_calls: 3,
            run_timeout_ms: 1_800_000,
            approval_timeout_ms: 86_400_000,
            max_depth: 1,
            max_children: 5,
            sub_agent_ttl_ms: 600_000,
          },
          budget: {
            run: { tokens: null, usd: null },
            session: { tokens: null, usd: null },
            day: { tokens: null, usd: null },
          },
          sub_agents: { allow: [], allowed_tools: [] },
          memory: { read: ["own", "shared"] },
          prompts: { system: "You help.", style: "Be brief.", safety: "" },
        },
      ],
    });
  });

  it("names the files it was read from", () => {
    const home = homeWith();
    const result = loadConfig(home, {});
    expect(result.ok && result.sources).toEqual([
      `${home}/config/main.yaml`,
      `${home}/config/providers.d/offline.yaml`,
      `${home}/config/agents.d/main.yaml`,
    ]);
  });

  it("does without main.yaml, and reads one that holds comments only as empty", () => {
    const home = homeWith({ "config/main.yaml": "# nothing\n" });
    expect(configOf(home).sessions.history_messages).toBe(40);
    rmSync(join(home, "config/main.yaml"));
    expect(configOf(home).sessions.history_messages).toBe(40);
  });

  it("takes a provider whose key is unset, and the address from the environment", () => {
    const home = homeWith({
      "config/providers.d/anthropic.yaml":
        "id: anthropic\ntype: anthropic\napi_key: env:ANTHROPIC_API_KEY\n",
    });
    const [anthropic] = configOf(home, { ANTHROPIC_BASE_URL: "http://127.0.0.1:8080/" }).providers;
    expect(anthropic).toEqual({
      id: "anthropic",
      type: "anthropic",
      api_key: "env:ANTHROPIC_API_KEY",
      base_url: "http://127.0.0.1:8080",
      timeout_ms: 60_000,
    });
  });

  it("takes a remote database with its token's reference, and no address with a user in it", () => {
    const remote = "engine: { url: 'libsql://hive.example.org', auth_token: env:DB_TOKEN }\n";
    expect(configOf(homeWith({ "config/main.yaml": remote })).engine).toMatchObject({
      url: "libsql://hive.example.org",
      auth_token: "env:DB_TOKEN",
    });
    const withUser = "engine: { url: 'https://me:pw@example.org' }\n";
    expect(loadConfig(homeWith({ "config/main.yaml": withUser }), {})).toMatchObject({ ok: false });
  });

  it("leaves editors' files and notes alone", () => {
    const home = homeWith({
      "config/.main.yaml.swp": "[[[",
      "config/agents.d/main.yaml~": "[[[",
      "config/README.md": "hi",
    });
    expect(linesOf(home)).toEqual([]);
  });
});

describe("Y04: what is wrong blocks the start, with its place", () => {
  it("L04: tells the place of a secret that stands where a key belongs, not the secret", () => {
    const home = homeWith({ "config/main.yaml": "sk-ant-api03-Zx81Qm: x\n" });
    expect(linesOf(home)).toEqual(["config/main.yaml:1:1 (a key of 19 characters): unknown key"]);
  });

  it("names an unknown key and the nearest known one", () => {
    const home = homeWith({ [agent]: "id: main\nlimits:\n  max_tool_round: 3\n" });
    expect(faultsOf(home)).toEqual([
      {
        file: `${home}/${agent}`,
        line: 3,
        column: 3,
        path: "limits.max_tool_round",
        message: "unknown key",
        expected:
          "one of max_tool_rounds, max_identical_calls, run_timeout_ms, approval_timeout_ms, max_depth, max_children, sub_agent_ttl_ms",
        nearest: "max_tool_rounds",
      },
    ]);
  });

  it.each([
    [
      "a word for a number",
      "limits:\n  max_tool_rounds: many\n",
      ':3:20 limits.max_tool_rounds: found "many"',
    ],
    [
      "a number out of range",
      "limits: { max_tool_rounds: 99999 }\n",
      ":2:28 limits.max_tool_rounds: found 99999",
    ],
    ["a fraction", "limits: { max_tool_rounds: 1.5 }\n", ":2:28 limits.max_tool_rounds: found 1.5"],
    [
      "a number too long to be exact",
      "limits: { max_tool_rounds: 12345678901234567890 }\n",
      ":2:28 limits.max_tool_rounds: the number has too many digits to be exact; where a text is expected, put it in quotes",
    ],
    ["an empty section", "limits:\n", ":2:8 limits: found nothing"],
    ["a list for a mapping", "limits: [1]\n", ":2:9 limits: found a list"],
    [
      "a tool that is not there",
      "tools: { allow: [file_read, file_raed] }\n",
      ':2:29 tools.allow.1: found "file_raed"',
    ],
    [
      "a tool named twice",
      "tools: { allow: [ask_user, ask_user] }\n",
      ":2:28 tools.allow.1: the tool is listed twice",
    ],
    [
      "a risk for a tool that is not there",
      "tools: { risk: { shell_exce: safe } }\n",
      ":2:18 tools.risk.shell_exce: unknown key",
    ],
    [
      "a provider that is not there",
      "model_policy: { primary: anthropc/x }\n",
      ":2:26 model_policy.primary: no provider has this id",
    ],
    [
      "a capability of a kind that is not there",
      'capabilities: { grant: ["net.fech:*"] }\n',
      ":2:25 capabilities.grant.0: not in the right form",
    ],
    [
      "a capability that could never match",
      'capabilities: { deny: ["fs.read:/etc/**"] }\n',
      ":2:24 capabilities.deny.0: not in the right form",
    ],
    ["a key that no version has", "budgets: { day: { usd: 5 } }\n", ":2:1 budgets: unknown key"],
  ])("refuses %s", (_name, yaml, line) => {
    expect(linesOf(homeWith({ [agent]: `id: main\n${yaml}` }))).toEqual([`${agent}${line}`]);
  });

  it.each(["../x", "a/b", "Main", "", "a..", "a".repeat(65)])(
    "refuses the id %j before any path is made of it",
    (id) => {
      const home = homeWith({ [agent]: `id: ${JSON.stringify(id)}\n` });
      expect(linesOf(home)).toEqual([`${agent}:1:5 id: not in the right form`]);
    },
  );

  it("refuses an agent without an id, at its file", () => {
    expect(linesOf(homeWith({ [agent]: "enabled: true\n" }))).toEqual([
      `${agent}:1:1 id: is missing`,
    ]);
  });

  it("refuses a provider of an unknown type, and says which there are", () => {
    const home = homeWith({ "config/providers.d/offline.yaml": "id: offline\ntype: ofline\n" });
    expect(faultsOf(home).map(formatFault)).toEqual([
      `${home}/config/providers.d/offline.yaml:2:7: type: found "ofline"; expected one of anthropic, openai, gemini, offline; did you mean "offline"?`,
    ]);
  });

  it("refuses a key that this type of provider does not have", () => {
    const home = homeWith({
      "config/providers.d/offline.yaml": "id: offline\ntype: offline\napi_key: env:X\n",
    });
    expect(linesOf(home)).toEqual(["config/providers.d/offline.yaml:3:1 api_key: unknown key"]);
  });

  it("refuses two agents with one id", () => {
    const home = homeWith({ "config/agents.d/other.yaml": "enabled: false\nid: main\n" });
    expect(linesOf(home)).toEqual([
      `config/agents.d/other.yaml:2:5 id: another agent has the same id, in ${home}/${agent}`,
    ]);
  });

  it("refuses an agent whose system prompt is missing", () => {
    const home = homeWith({ "config/agents.d/ops.yaml": "id: ops\n" });
    expect(linesOf(home)).toEqual([
      `config/agents.d/ops.yaml:1:5 id: the agent has no prompt: ${home}/prompts/ops/system.md is missing`,
    ]);
  });

  it("refuses a YAML file that nothing reads", () => {
    const home = homeWith({ "config/mian.yaml": "", "config/agents.d/x.yml": "id: x\n" });
    expect(linesOf(home)).toEqual([
      "config/agents.d/x.yml:1:1 : the name must end in .yaml to be read",
      "config/mian.yaml:1:1 : this version reads no such file",
    ]);
  });

  it("refuses a home without configuration, agents or providers", () => {
    const empty = temporaryDirectory();
    expect(linesOf(empty)).toEqual(["config:1:1 : there is no configuration; run statehive init"]);
    mkdirSync(join(empty, "config/agents.d"), { recursive: true });
    expect(linesOf(empty)).toEqual([
      "config/agents.d:1:1 : there is no agent; run statehive init to write the shipped one",
      "config/providers.d:1:1 : there is no provider; run statehive init to write the shipped one",
    ]);
  });

  it("refuses an address from the environment that is none", () => {
    expect(linesOf(homeWith(), { ANTHROPIC_BASE_URL: "http://me:secret@host" })).toEqual([
      "environment:1:1 ANTHROPIC_BASE_URL: not in the right form",
    ]);
  });

  it("lists all faults of all files at once", () => {
    const home = homeWith({
      "config/main.yaml": "engine: { type: sqlite }\nruns: { max_concurrent: 0 }\n",
      [agent]: "id: main\nname: x\nmodel_policy: { primary: nowhere/x }\n",
      "config/providers.d/anthropic.yaml": "id: anthropic\ntype: anthropic\nbase_url: ftp://x\n",
    });
    expect(linesOf(home)).toEqual([
      `${agent}:2:1 name: unknown key`,
      `${agent}:3:26 model_policy.primary: no provider has this id`,
      'config/main.yaml:1:17 engine.type: found "sqlite"',
      "config/main.yaml:2:25 runs.max_concurrent: found 0",
      "config/providers.d/anthropic.yaml:1:1 api_key: is missing",
      "config/providers.d/anthropic.yaml:3:11 base_url: not in the right form",
    ]);
  });

  it("does not call a provider unknown whose own file cannot be read", () => {
    const home = homeWith({
      [agent]: "id: main\nmodel_policy: { primary: anthropic/x }\n",
      "config/providers.d/anthropic.yaml": "id: [\n",
    });
    expect(faultsOf(home).map(({ file }) => file)).toEqual([
      `${home}/config/providers.d/anthropic.yaml`,
    ]);
  });
});

describe("a workspace", () => {
  it.each([
    ".",
    "config",
    "data/x",
    "..",
    "/",
    "prompts/main",
    "workspace/../config",
    "memory",
    "memory/main/local",
    "sessions",
  ])("is refused as %j, where statehive's own files are", (workspace) => {
    const home = homeWith({ [agent]: `id: main\nworkspace: ${JSON.stringify(workspace)}\n` });
    expect(linesOf(home)).toEqual([
      `${agent}:2:12 workspace: this directory would give the agent statehive's own files`,
    ]);
  });

  it("is refused when it gets there through a link", () => {
    const home = homeWith({ [agent]: "id: main\nworkspace: link/main\n" });
    symlinkSync(join(home, "prompts"), join(home, "link"));
    expect(linesOf(home)).toHaveLength(1);
  });

  it.each(["~/notes", "/nowhere/at/all", "config/main.yaml/x"])(
    "is refused as %j, where no directory is",
    (workspace) => {
      const home = homeWith({ [agent]: `id: main\nworkspace: ${workspace}\n` });
      expect(linesOf(home)).toHaveLength(1);
      expect(linesOf(home)[0]).toContain(`${agent}:2:12 workspace: `);
    },
  );

  it("need not be there yet where the start makes it", () => {
    const home = homeWith({ [agent]: "id: main\nworkspace: workspace/main\n" });
    expect(configOf(home).agents[0]?.workspace).toBe(`${home}/workspace/main`);
  });

  it("may be elsewhere", () => {
    const elsewhere = temporaryDirectory();
    const home = homeWith({ [agent]: `id: main\nworkspace: ${elsewhere}\n` });
    expect(configOf(home).agents[0]?.workspace).toBe(elsewhere);
  });
});

describe("Y05: files that others control block the start", () => {
  const anthropic = "config/providers.d/anthropic.yaml";
  const withSecret = {
    [anthropic]: "id: anthropic\ntype: anthropic\napi_key: file:key\n",
    key: "sk-file-0123456789\n",
  };

  it("refuses a secret file that everybody can read", () => {
    const home = homeWith(withSecret);
    expect(linesOf(home)).toEqual([]);
    chmodSync(join(home, "key"), 0o644);
    expect(linesOf(home)).toEqual([
      `${anthropic}:3:10 api_key: the secret file key: can be read by every user; run chmod 600 on it`,
    ]);
  });

  it("refuses a secret file that is not there or empty", () => {
    const home = homeWith({ ...withSecret, key: "\n" });
    expect(linesOf(home)).toEqual([`${anthropic}:3:10 api_key: the secret file key is empty`]);
    rmSync(join(home, "key"));
    expect(linesOf(home)).toEqual([
      `${anthropic}:3:10 api_key: the secret file key: there is no such file`,
    ]);
  });

  it.runIf(process.getuid?.() === 0)("refuses a secret file of another user", () => {
    const home = homeWith(withSecret);
    chownSync(join(home, "key"), 12_345, 0);
    expect(linesOf(home)).toEqual([
      `${anthropic}:3:10 api_key: the secret file key: belongs to another user (uid 12345); chown it to the user who runs statehive`,
    ]);
  });

  it("refuses configuration and prompts that everybody can write", () => {
    const home = homeWith();
    chmodSync(join(home, agent), 0o666);
    chmodSync(join(home, "config/providers.d"), 0o777);
    expect(linesOf(home)).toEqual([
      `${agent}:1:1 : can be written by every user; run chmod o-w on it`,
      "config/providers.d:1:1 : can be written by every user; run chmod o-w on it",
    ]);
    chmodSync(join(home, agent), 0o600);
    chmodSync(join(home, "config/providers.d"), 0o700);
    chmodSync(join(home, "prompts/main/system.md"), 0o602);
    expect(linesOf(home)).toEqual([
      "prompts/main/system.md:1:1 : can be written by every user; run chmod o-w on it",
    ]);
  });

  it("says once what several agents run into", () => {
    const home = homeWith({
      "config/agents.d/ops.yaml": "id: ops\n",
      "prompts/ops/system.md": "You watch.\n",
    });
    chmodSync(join(home, "prompts"), 0o777);
    expect(linesOf(home)).toEqual([
      "prompts:1:1 : can be written by every user; run chmod o-w on it",
    ]);
  });

  it("refuses a folder that cannot be read", () => {
    const home = homeWith();
    rmSync(join(home, "config/providers.d"), { recursive: true });
    symlinkSync("providers.d", join(home, "config/providers.d"));
    expect(linesOf(home)).toContain("config/providers.d:1:1 : cannot be opened (ELOOP)");
  });

  it("refuses a directory in place of a file", () => {
    const home = homeWith();
    mkdirSync(join(home, "config/agents.d/x.yaml"));
    expect(linesOf(home)).toEqual(["config/agents.d/x.yaml:1:1 : is not a regular file"]);
  });
});
