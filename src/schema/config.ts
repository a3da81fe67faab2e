import { z } from "zod";
import { relativePath } from "./relative-path.ts";

/** The shape of every configuration file: the one source of defaults, ranges, docs/configuration.md and fault messages.
 *  Only keys that something reads are here; every other key is a fault. */

const toolNames = [
  "file_read",
  "file_list",
  "file_search",
  "file_write",
  "file_edit",
  "shell_exec",
  "ask_user",
] as const;
const riskClasses = ["safe", "guarded", "unsafe"] as const;

/** `form` completes "expected …" in faults and the docs. */
function textOfForm(form: string, pattern: RegExp) {
  return z.string().regex(pattern, { error: form }).meta({ title: form });
}

const configId = textOfForm(
  "an id: lower-case letters, digits, _ and -, at most 64, the first a letter or digit",
  /^[a-z0-9][a-z0-9_-]{0,63}$/,
);

const label = z.string().min(1).max(64);

const secretReference = textOfForm(
  "env:NAME or file:PATH, never the secret itself: export it as a variable, or put it into a file of mode 0600",
  /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:[^\p{Cc}]+)$/u,
);

const capabilityForm =
  "a capability such as fs.read:notes/** or shell.exec:git status: fs.read, fs.write or fs.* and a path within the workspace without .., or shell.exec and a command";
const capabilityPattern = z
  .string()
  .refine(isCapabilityPattern, { error: capabilityForm })
  .meta({ title: capabilityForm });

function isCapabilityPattern(value: string): boolean {
  if (/^shell\.exec:[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u.test(value)) return true;
  const resource = /^fs\.(?:read|write|\*):([^\p{Cc}]+)$/u.exec(value)?.[1];
  return resource !== undefined && relativePath(resource).ok && !resource.split("/").includes("..");
}

const modelReference = textOfForm(
  "auto or provider/model, such as anthropic/claude-sonnet-4-5",
  /^(?:auto|[a-z0-9][a-z0-9_-]*\/[^\s\p{Cc}]+)$/u,
);

const databaseUrl = textOfForm(
  "file:PATH, such as file:data/statehive.db, or libsql://HOST or https://HOST without user and query",
  /^(?:file:[^\p{Cc}?#]+|(?:libsql|https):\/\/[^\p{Cc}\s?#@]+)$/u,
);

const path = textOfForm("a path without control characters", /^[^\p{Cc}]+$/u).max(4_096);

export const baseUrlForm = "an http: or https: URL without user, password, query or fragment";
export const baseUrl = z
  .string()
  .refine(isPlainHttpUrl, { error: baseUrlForm })
  .meta({ title: baseUrlForm });

function isPlainHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  return isHttp && url.username + url.password + url.search + url.hash === "";
}

export const anthropicProvider = z.strictObject({
  id: configId.describe("Name of the provider, unique; agents refer to it as `id/model`."),
  type: z.literal("anthropic").describe("Speaks the Anthropic Messages API."),
  api_key: secretReference.describe(
    "The key, as `env:NAME` or `file:PATH`. While the variable is unset, the provider is not available; that is no fault.",
  ),
  base_url: baseUrl
    .default("https://api.anthropic.com")
    .describe("Any compatible server. The variable ANTHROPIC_BASE_URL overrides it."),
  timeout_ms: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .default(60_000)
    .describe("Milliseconds of silence from the provider before a call ends with `model.timeout`."),
});

export const offlineProvider = z.strictObject({
  id: configId.describe("Name of the provider, unique."),
  type: z.literal("offline").describe("The built-in model that needs no key and no network."),
});

export const providerFile = z.discriminatedUnion("type", [anthropicProvider, offlineProvider]);

const identity = z
  .strictObject({
    name: label.nullable().default(null).describe("What people call the agent; null: its id."),
    emoji: z.string().min(1).max(16).nullable().default(null).describe("Shown before the name."),
    avatar: z
      .string()
      .min(1)
      .max(1_024)
      .nullable()
      .default(null)
      .describe("A picture: a path or URL."),
    public_label: label
      .nullable()
      .default(null)
      .describe("One line that says what the agent is; null: its name."),
  })
  .prefault({})
  .describe("How the agent shows itself.");

const modelPolicy = z
  .strictObject({
    primary: modelReference
      .default("auto")
      .describe(
        "`provider/model`, or `auto`: the first provider that has a key, else the offline model.",
      ),
    max_tokens: z
      .int()
      .min(1)
      .max(200_000)
      .default(4_096)
      .describe("Tokens that one answer of the model may have."),
    thinking: z
      .enum(["none", "enabled"])
      .default("none")
      .describe("Whether the model thinks before it answers, where it can."),
  })
  .prefault({})
  .describe("Which model the agent thinks with.");

const agentTools = z
  .strictObject({
    allow: z
      .array(z.enum(toolNames))
      .max(256)
      .default([...toolNames])
      .describe("The tools that the agent is offered; it can call no other."),
    risk: z
      .partialRecord(z.enum(toolNames), z.enum(riskClasses))
      .default({})
      .describe(
        "Another risk class for a tool: safe runs, guarded needs a grant or asks, unsafe asks each time.",
      ),
  })
  .prefault({})
  .describe("What the agent can do.");

const patterns = z.array(capabilityPattern).max(256);

const capabilities = z
  .strictObject({
    boundary: patterns
      .default(["fs.read:**", "fs.write:**", "shell.exec:*"])
      .describe("What the agent may ever do. Paths are relative to its workspace."),
    grant: patterns.default(["fs.read:**"]).describe("What it may do unasked."),
    deny: patterns.default(["fs.read:**/.env"]).describe("What it may never do; wins over both."),
  })
  .prefault({})
  .describe("What the agent may do, as `kind:pattern`; `**` stands for any path.");

const limits = z
  .strictObject({
    max_tool_rounds: z
      .int()
      .min(1)
      .max(1_000)
      .default(25)
      .describe("Rounds of tool calls in one run; one more fails it with `run.max_tool_rounds`."),
    max_identical_calls: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe(
        "How many times in a row the model may make the same calls, or go through the same circle of up to four rounds; then `run.identical_calls`.",
      ),
    run_timeout_ms: z
      .int()
      .min(1_000)
      .max(604_800_000)
      .default(1_800_000)
      .describe("Milliseconds that a run may work; waiting for a person does not count."),
    approval_timeout_ms: z
      .int()
      .min(1_000)
      .max(2_592_000_000)
      .default(86_400_000)
      .describe("Milliseconds that a question waits for a person; then it counts as denied."),
  })
  .prefault({})
  .describe("Where a run ends.");

export const agentFile = z.strictObject({
  id: configId.describe("Name of the agent, unique; its prompts are in `prompts/<id>/`."),
  enabled: z.boolean().default(true).describe("A disabled agent takes no new messages."),
  identity,
  model_policy: modelPolicy,
  workspace: path
    .nullable()
    .default(null)
    .describe(
      "The directory that file tools never leave; null: `<home>/workspace/<id>`. Relative to the home.",
    ),
  tools: agentTools,
  capabilities,
  limits,
});

const retention = z
  .strictObject({
    journal_days: z
      .int()
      .min(1)
      .max(36_500)
      .default(30)
      .describe("Days that the journal of events is kept."),
    audit_days: z
      .int()
      .min(1)
      .max(36_500)
      .default(365)
      .describe("Days that the audit trail is kept."),
  })
  .prefault({})
  .describe("How long records are kept.");

export const mainFile = z.strictObject({
  sessions: z
    .strictObject({
      history_messages: z
        .int()
        .min(1)
        .max(10_000)
        .default(40)
        .describe("Messages of the conversation that the model sees again, at most."),
    })
    .prefault({})
    .describe("Conversations."),
  engine: z
    .strictObject({
      type: z
        .enum(["libsql", "memory"])
        .default("libsql")
        .describe("`libsql` keeps everything in a file; `memory` forgets all at exit, for trials."),
      url: databaseUrl
        .default("file:data/statehive.db")
        .describe(
          "Where the database is: a file, its relative path from the home on; or a remote libSQL database, which is loaded whole at start and suits small homes.",
        ),
      auth_token: secretReference
        .nullable()
        .default(null)
        .describe("The token of a remote database, as `env:NAME` or `file:PATH`."),
      durability: z
        .enum(["power", "process"])
        .default("power")
        .describe(
          "What a committed step survives: a power cut, or only the death of the process (faster).",
        ),
      retention,
    })
    .prefault({})
    .describe("What stores the actors."),
  runs: z
    .strictObject({
      max_concurrent: z
        .int()
        .min(1)
        .max(256)
        .default(8)
        .describe(
          "Runs that work at the same time; more wait their turn. One that waits for a person does not count.",
        ),
    })
    .prefault({})
    .describe("All runs of the service together."),
});

export const promptParts = ["system", "style", "safety"] as const;
export type PromptPart = (typeof promptParts)[number];
export type AgentPrompts = { readonly [part in PromptPart]: string };

type DeepReadonly<T> = T extends object ? { readonly [key in keyof T]: DeepReadonly<T[key]> } : T;

export type MainConfig = DeepReadonly<z.output<typeof mainFile>>;
export type ProviderConfig = DeepReadonly<z.output<typeof providerFile>>;

type AgentFile = DeepReadonly<z.output<typeof agentFile>>;

/** One agent with everything resolved: absolute workspace, names filled in, texts of its prompts ("" where there is none). */
export type AgentConfig = Omit<AgentFile, "workspace" | "identity"> & {
  readonly identity: Omit<AgentFile["identity"], "name" | "public_label"> & {
    readonly name: string;
    readonly public_label: string;
  };
  readonly workspace: string;
  readonly prompts: AgentPrompts;
};

/** The whole configuration of one home. Holds references to secrets, never their values; paths and `engine.url` are absolute. */
export type HiveConfig = MainConfig & {
  readonly home: string;
  readonly providers: readonly ProviderConfig[];
  readonly agents: readonly AgentConfig[];
};
