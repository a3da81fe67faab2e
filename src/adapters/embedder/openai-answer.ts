import { z } from "zod";
import { readBounded } from "../web/bounded-body.ts";
import type { HttpResponse } from "../model/http-fetch.ts";
import { badResponse } from "./embedder-errors.ts";
import { toUnitVector } from "./unit-vector.ts";

/** What a server of the OpenAI protocol answers to `/embeddings`, made vectors or refused. */

const answerBody = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
});

/** Of one number as JSON, with its comma. */
const mostBytesANumber = 40;
const mostBytesBeside = 1_000_000;

export type Asked = { readonly texts: number; readonly dimensions: number };

/** In the order of the texts. @throws AgentError embedder.bad_response, or the error of the connection */
export async function readVectors(response: HttpResponse, asked: Asked): Promise<Float32Array[]> {
  const most = asked.texts * asked.dimensions * mostBytesANumber + mostBytesBeside;
  const { bytes, isWhole } = await readBounded(response.body, most);
  if (!isWhole) throw badResponse(`The embedder's answer is longer than ${most} bytes.`);
  const parsed = answerBody.safeParse(parseJson(new TextDecoder().decode(bytes)));
  if (!parsed.success) throw notVectors("no list of vectors");
  const { data } = parsed.data;
  const byPlace = new Map<number, Float32Array>();
  for (const [place, { index, embedding }] of data.entries())
    byPlace.set(index ?? place, toUnitVector(embedding, asked.dimensions));
  const places = Array.from({ length: asked.texts }, (_, place) => byPlace.get(place));
  const vectors = places.filter((vector) => vector !== undefined);
  if (vectors.length === asked.texts && data.length === asked.texts) return vectors;
  throw notVectors(`${data.length} vectors, not one for each of ${asked.texts} texts`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notVectors("something that is not JSON");
  }
}

function notVectors(what: string) {
  return badResponse(`The embedder answered with ${what}.`, {
    hint: "Check embeddings.base_url and embeddings.model in config/main.yaml.",
  });
}
