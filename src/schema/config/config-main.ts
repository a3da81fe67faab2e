import { z } from "zod";
import { amounts } from "./config-budget.ts";
import { contextStrategies } from "../context-strategy.ts";
import { logLevels } from "../shown/log-record.ts";
import { connectors, http } from "./config-connectors.ts";
import { embeddings } from "./config-embeddings.ts";
import { gateway } from "./config-gateway.ts";
import { configId, modelName, secretReference, textOfForm } from "./config-forms.ts";
import { queueModes } from "../queue.ts";

/** The shape of config/main.yaml. */

const sessions = z
  .strictObject({
    history_messages: z
      .int()
      .min(1)
      .max(10_000)
      .default(40)
      .describe(
        "Messages of the conversation that the model sees again, at most; what the present run adds comes on top.",
      ),
    context_strategy: z
      .enum(contextStrategies)
      .default("summarize")
      .describe(
        "What is done between two runs about messages that `history_messages` or `max_context_tokens` leave no room for: `summarize` has the agent's model sum them up, and what should last goes to memory first; `truncate_old` leaves the oldest out; `error` leaves out what `history_messages` says, and refuses to go on beyond `max_context_tokens`.",
      ),
    max_context_tokens: z
      .int()
      .min(1_000)
      .max(10_000_000)
      .default(100_000)
      .describe(
        "Tokens that a conversation may have, with the prompt and the tools, before `context_strategy` is at work; at most what the model takes.",
      ),
    episodes: z
      .boolean()
      .default(true)
      .describe(
        "Whether a conversation that ends without having written to memory leaves a few lines about itself there.",
      ),
    ttl_minutes: z
      .int()
      .min(1)
      .max(525_600)
      .default(30)
      .describe(
        "Minutes of silence after which a conversation is closed and the next one begins; never while the agent works or a message waits. What is set when a message comes holds until the next one.",
      ),
    queue: z
      .enum(queueModes)
      .default("follow_up")
      .describe(
        "What becomes of a message while the agent works, unless it says so itself: `follow_up` answers it afterwards, `steer` shows it to the run before its next model call, `interrupt` ends the run for it, `collect` answers all that came together.",
      ),
  })
  .prefault({})
  .describe("Conversations.");

/** A number that the preset decides unless it is given. */
function presetNumber(shape: z.ZodNumber, preset: string, meaning: string) {
  return shape
    .nullable()
    .default(null)
    .describe(`${meaning} null: as the preset says (${preset}).`);
}

const vectorWeightForm = "auto or a number from 0 to 1";

const consolidation = z
  .strictObject({
    promote: z
      .boolean()
      .default(true)
      .describe(
        "Whether the agent's model is asked what of the new daily notes belongs into MEMORY.md; on days without any it is not asked.",
      ),
    forget_after_days: z
      .int()
      .min(1)
      .max(36_500)
      .nullable()
      .default(90)
      .describe(
        "Days after which entries of daily files go that the service wrote and, where notes are promoted, a model has looked at; what a person wrote stays. null: they stay too.",
      ),
  })
  .prefault({})
  .describe("How memory is tidied, by the schedule or by hand.");

export const memorySection = z
  .strictObject({
    preset: z
      .enum(["tuned", "classic"])
      .default("tuned")
      .describe("Where the values that are left out come from."),
    max_results: presetNumber(
      z.int().min(1).max(100),
      "tuned: 6",
      "Memories that one search returns, at most;",
    ),
    vector_weight: z
      .union([z.literal("auto"), z.number().min(0).max(1)])
      .meta({ title: vectorWeightForm })
      .nullable()
      .default(null)
      .describe(
        "How much likeness in meaning counts against likeness in words; auto: as the embedder is good for; null: as the preset says (tuned: auto, classic: 0.7).",
      ),
    min_score: presetNumber(
      z.number().min(0).max(1),
      "tuned: 0, classic: 0.35",
      "The score that a memory must have;",
    ),
    relative_cut: presetNumber(
      z.number().min(0).max(1),
      "tuned: 0.6",
      "The share of the best score that a memory must have;",
    ),
    candidates: presetNumber(
      z.int().min(1).max(10_000),
      "tuned: 400, classic: 4 times max_results",
      "Memories that are looked at more closely;",
    ),
    chunk_tokens: presetNumber(
      z.int().min(16).max(4_000),
      "tuned: 80, classic: 400",
      "Tokens of one piece of a text;",
    ),
    overlap_tokens: presetNumber(
      z.int().min(0).max(1_000),
      "tuned: 0, classic: 80",
      "Tokens that a piece shares with the next;",
    ),
    context_chunks: presetNumber(
      z.int().min(0).max(20),
      "tuned: 2",
      "Neighbours that a found piece brings along;",
    ),
    recall_tokens: presetNumber(
      z.int().min(0).max(100_000),
      "tuned: 1500",
      "Tokens of memories that a prompt holds, at most;",
    ),
    consolidation,
  })
  .prefault({})
  .describe("Long-term memory.");

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
    usage_days: z
      .int()
      .min(1)
      .max(36_500)
      .default(365)
      .describe("Days that model calls are kept, and totals to which none was added since."),
    memory_days: z
      .int()
      .min(1)
      .max(36_500)
      .default(365)
      .describe("Days that changes of memory can be looked at and taken back."),
    memory_megabytes: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1_000)
      .describe(
        "What earlier versions of memory may take of the disk; the oldest go first, once a day.",
      ),
  })
  .prefault({})
  .describe("How long records are kept.");

const databaseUrl = textOfForm(
  "file:PATH, such as file:data/statehive.db, or libsql://HOST or https://HOST without user and query",
  /^(?:file:[^\p{Cc}?#]+|(?:libsql|https):\/\/[^\p{Cc}\s?#@]+)$/u,
);

const engine = z
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
  .describe("What stores the actors.");

const shell = z
  .strictObject({
    unconfined: z
      .enum(["refuse", "ask"])
      .default("refuse")
      .describe(
        "What becomes of commands where bubblewrap does not work: `refuse`, or `ask`: each one is asked about, and then runs in no sandbox, with everything in reach that is in yours.",
      ),
  })
  .prefault({})
  .describe("Commands of agents.");

const runs = z
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
  .describe("All runs of the service together.");

const logs = z
  .strictObject({
    level: z
      .enum(logLevels)
      .default("info")
      .describe("The least important records that are written; `debug` has every step."),
    max_bytes: z
      .int()
      .min(100_000)
      .max(1_000_000_000)
      .default(10_000_000)
      .describe("Bytes to which a file grows before the next one is begun."),
    files: z
      .int()
      .min(2)
      .max(100)
      .default(7)
      .describe("Files that are kept, with the one that is written."),
  })
  .prefault({})
  .describe("The service's log, `logs/statehive.log` and its older parts.");

const budget = z
  .strictObject({ day: amounts("the whole service in a day (UTC)") })
  .prefault({})
  .describe("What all agents together may use up before a person is asked.");

const usdPerMillionTokens = z.number().min(0).max(100_000);

const price = z.strictObject({
  input_usd_per_mtok: usdPerMillionTokens.describe("US dollars for a million tokens of input."),
  output_usd_per_mtok: usdPerMillionTokens.describe("US dollars for a million tokens of output."),
  cache_read_usd_per_mtok: usdPerMillionTokens
    .nullable()
    .default(null)
    .describe(
      "US dollars for a million tokens of input read from the provider's cache; null: a tenth of input.",
    ),
  cache_write_usd_per_mtok: usdPerMillionTokens
    .nullable()
    .default(null)
    .describe(
      "US dollars for a million tokens of input written to the provider's cache; null: a quarter more than input.",
    ),
});

const prices = z
  .record(modelName, price)
  .default({})
  .describe("What models cost, by `provider/model`; others count as unknown, not as free.");

const mcpServer = z.strictObject({
  command: z.string().min(1).max(4_096).describe("The program that is started, without a shell."),
  args: z
    .array(z.string().max(4_096))
    .max(256)
    .default([])
    .describe("Its arguments, one entry each."),
});

const mcp = z
  .strictObject({
    servers: z
      .record(configId, mcpServer)
      .default({})
      .describe("Servers that bring tools of their own, by name."),
  })
  .prefault({})
  .describe("Tools from Model Context Protocol servers.")
  .meta({ notYet: "use MCP servers" });

export const mainFile = z.strictObject({
  connectors,
  http,
  gateway,
  sessions,
  memory: memorySection,
  embeddings,
  engine,
  shell,
  runs,
  logs,
  budget,
  prices,
  mcp,
});
