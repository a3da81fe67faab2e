import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A loopback server that speaks OpenAI's `/embeddings` and answers as it is told to. */

export type EmbeddingReply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly hang?: boolean;
  readonly reset?: boolean;
  /** Sends the head and half of the body, then resets the connection. */
  readonly cut?: boolean;
};

export type EmbeddingRequest = {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly input: readonly string[];
    readonly dimensions?: number;
  };
};

export type EmbeddingServer = {
  readonly url: string;
  readonly requests: readonly EmbeddingRequest[];
  /** Answers the next request so, before all others. */
  next(reply: EmbeddingReply): void;
  /** Resolves once so many requests have come. */
  heard(count: number): Promise<void>;
  close(): Promise<void>;
};

/** @param vectorOf what a text is made to, where nothing else was told */
export async function startEmbeddingServer(
  vectorOf: (text: string) => readonly number[],
): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const replies: EmbeddingReply[] = [];
  let news = () => {};
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await readJson(incoming);
    requests.push({ url: incoming.url ?? "", headers: incoming.headers, body });
    news();
    const reply = replies.shift() ?? { body: vectorsFor(body.input, vectorOf) };
    if (reply.hang !== true) send(response, reply);
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    next: (reply) => void replies.push(reply),
    heard: (count) =>
      new Promise((resolve) => {
        news = () => requests.length >= count && resolve();
        news();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  response: ServerResponse,
  { reset, cut, status, headers, body = {} }: EmbeddingReply,
) {
  if (reset === true) return void response.destroy();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status ?? 200, { "content-type": "application/json", ...headers });
  if (cut === true) response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(text);
}

function vectorsFor(texts: readonly string[], vectorOf: (text: string) => readonly number[]) {
  const data = texts.map((text, index) => ({
    object: "embedding",
    index,
    embedding: vectorOf(text),
  }));
  return { object: "list", model: "m", data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

async function readJson(incoming: IncomingMessage): Promise<EmbeddingRequest["body"]> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as EmbeddingRequest["body"];
}
