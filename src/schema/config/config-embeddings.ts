import { z } from "zod";
import { baseUrl, secretReference } from "./config-forms.ts";

/** The section `embeddings` of config/main.yaml. */

export const defaultEmbeddingModel = "text-embedding-3-small";

/** Numbers in a vector of models whose name says it; of all others, the configuration does. */
export const knownDimensions: ReadonlyMap<string, number> = new Map([
  ["text-embedding-3-small", 1_536],
  ["text-embedding-3-large", 3_072],
  ["text-embedding-ada-002", 1_536],
]);

const prefix = z.string().max(200).default("");

export const embeddings = z
  .strictObject({
    provider: z
      .enum(["builtin", "openai", "none"])
      .default("builtin")
      .describe(
        "Who turns texts into vectors: `builtin` is a small English model that needs no network, `openai` any server that speaks OpenAI's `/embeddings`; `none` searches by words alone. The keys below are those of `openai`.",
      ),
    model: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe(`The model; null: ${defaultEmbeddingModel}. Another one rebuilds all vectors.`),
    base_url: baseUrl
      .default("https://api.openai.com/v1")
      .describe(
        "The server, without `/embeddings`; a local one is as good. The variable OPENAI_BASE_URL overrides it.",
      ),
    api_key: secretReference
      .nullable()
      .default(null)
      .describe(
        "The key, as `env:NAME` or `file:PATH`; null: the server wants none. While the variable is unset, words alone decide; that is no fault.",
      ),
    dimensions: z
      .int()
      .min(8)
      .max(8_192)
      .nullable()
      .default(null)
      .describe("Numbers in a vector; null: as the model is known for, if it is one of OpenAI's."),
    shorten: z
      .boolean()
      .default(false)
      .describe(
        "Whether the server is asked for vectors of `dimensions` numbers; for models that can shorten theirs.",
      ),
    timeout_ms: z
      .int()
      .min(1_000)
      .max(600_000)
      .default(30_000)
      .describe("Milliseconds that one request may take in all."),
    batch: z.int().min(1).max(2_048).default(32).describe("Texts in one request, at most."),
    max_chars: z
      .int()
      .min(100)
      .max(100_000)
      .default(8_000)
      .describe("Characters of one text that are sent, at most; the rest does not count."),
    document_prefix: prefix.describe(
      "Stands before each memory, for models that want it, such as `search_document: `.",
    ),
    query_prefix: prefix.describe(
      "Stands before each question, for models that want it, such as `search_query: `.",
    ),
  })
  .prefault({})
  .describe("How likeness in meaning is found.");
