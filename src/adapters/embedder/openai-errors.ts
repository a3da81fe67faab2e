import { AgentError } from "../../schema/errors.ts";
import { parseRetryAfter } from "../model/retry-after.ts";
import { readBounded } from "../web/bounded-body.ts";
import type { HttpResponse } from "../model/http-fetch.ts";
import { refused, unavailable } from "./embedder-errors.ts";

/** What an embedding server, or the way to it, has against an order. Nothing of the request is kept. */

const mostBytes = 10_000;
const mostChars = 500;

export async function errorOfAnswer(response: HttpResponse, now: number): Promise<AgentError> {
  const { bytes } = await readBounded(response.body, mostBytes);
  const words = wordsOf(new TextDecoder().decode(bytes));
  const message = `The embedder answered ${response.status}: ${words}`.slice(0, mostChars);
  const details = { status: response.status };
  if (isPassing(response.status)) {
    const retryAfterMs = parseRetryAfter(response.headers, now);
    return unavailable(message, {
      details,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  return refused(message, { details, hint: hintOf(response.status) });
}

const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;

function hintOf(status: number): string {
  if (status === 401 || status === 403) return "Check embeddings.api_key in config/main.yaml.";
  return "Check embeddings.model, embeddings.base_url and embeddings.dimensions in config/main.yaml.";
}

/** `error.message` as OpenAI says it; others say `error`, `message` or `detail`. */
function wordsOf(body: string): string {
  try {
    const { error, message, detail } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const inner = (error as { readonly message?: unknown } | undefined)?.message;
    const said = [inner, error, message, detail].find((each) => typeof each === "string");
    return said ?? "no message";
  } catch {
    return body.trim() === "" ? "no message" : body.trim();
  }
}

export function errorOfConnection(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
  return unavailable(`The embedder could not be reached: ${String(code ?? message)}.`, {
    hint: "Check the network and embeddings.base_url in config/main.yaml.",
  });
}
