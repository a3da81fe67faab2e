import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { messageBody, messageEvents, sseEvent } from "./anthropic-events.ts";
import {
  faultInRequest,
  parseWireRequest,
  type WireBlock,
  type WireRequest,
} from "./anthropic-validation.ts";

/** A loopback server that speaks the Anthropic Messages protocol and answers from a script. */

export type Reply = {
  readonly content?: readonly WireBlock[];
  readonly stopReason?: string;
  readonly usage?: Readonly<Record<string, number>>;
  readonly deltas?: number;
  readonly delayMs?: number;
  /** Any other status than 200 sends `body` (or an empty one) with `headers`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Ends the body after so many bytes: by an orderly end, by a reset of the connection, or by silence. */
  readonly cut?: { readonly afterBytes: number; readonly how: "end" | "reset" | "hang" };
  /** An SSE `error` event after so many events. */
  readonly error?: {
    readonly afterEvents: number;
    readonly type: string;
    readonly message: string;
  };
  /** Sent with status 200 in place of an answer. */
  readonly junk?: string;
  readonly reset?: boolean;
  readonly hang?: boolean;
  /** Pings for ever, never an answer. */
  readonly pingsEveryMs?: number;
};

export type RecordedRequest = WireRequest & {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** Settles when the client has gone or the answer is out. */
  readonly closed: Promise<void>;
};

export type Script = (request: RecordedRequest, n: number) => Reply | Promise<Reply>;

export type AnthropicServer = {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
};

export function says(...texts: readonly string[]): Reply {
  return { content: texts.map((text) => ({ type: "text", text })) };
}

export function apiError(status: number, type: string, message: string): Reply {
  return { status, body: { type: "error", error: { type, message }, request_id: "req_test" } };
}

export function streamOf(reply: Reply, model = "claude-sonnet-4-5"): string {
  return messageEvents("msg_1", model, shapeOf(reply)).join("");
}

function shapeOf(reply: Reply) {
  const content = reply.content ?? [];
  const asksForTool = content.some((block) => block.type === "tool_use");
  return {
    content,
    stopReason: reply.stopReason ?? (asksForTool ? "tool_use" : "end_turn"),
    usage: reply.usage ?? { input_tokens: 10, output_tokens: 5 },
    deltas: reply.deltas ?? 3,
  };
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

function sendCut(response: ServerResponse, whole: Buffer, cut: NonNullable<Reply["cut"]>): void {
  const finish = () => {
    if (cut.how === "end") response.end();
    if (cut.how === "reset") response.socket?.destroy();
  };
  response.flushHeaders();
  if (cut.afterBytes === 0) setImmediate(finish);
  else response.write(whole.subarray(0, cut.afterBytes), () => setImmediate(finish));
}

async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  reply: Reply,
): Promise<void> {
  const planned = reply.error === undefined ? events : events.slice(0, reply.error.afterEvents);
  for (const event of planned) {
    if (response.destroyed) return;
    response.write(event);
    if (reply.delayMs !== undefined)
      await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  }
  if (reply.error !== undefined) {
    const { type, message } = reply.error;
    response.write(sseEvent({ type: "error", error: { type, message } }));
  }
  response.end();
}

function sendPings(response: ServerResponse, everyMs: number): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  const timer = setInterval(() => response.write(sseEvent({ type: "ping" })), everyMs);
  response.on("close", () => clearInterval(timer));
}

function sendPlain(response: ServerResponse, status: number, { body, headers }: Reply): void {
  const content = typeof body === "string" ? body : JSON.stringify(body ?? {});
  response.writeHead(status, {
    "content-type": "application/json",
    "request-id": "req_test",
    ...headers,
  });
  response.end(content);
}

function sendAnswer(
  response: ServerResponse,
  request: RecordedRequest,
  reply: Reply,
): Promise<void> | void {
  const contentType = request.stream ? "text/event-stream; charset=utf-8" : "application/json";
  const headers = { "content-type": contentType, "request-id": "req_test", ...reply.headers };
  response.writeHead(200, headers);
  const shape = shapeOf(reply);
  const body = JSON.stringify(messageBody("msg_1", request.model, shape));
  const events = messageEvents("msg_1", request.model, shape);
  const whole = reply.junk ?? (request.stream ? events.join("") : body);
  if (reply.cut !== undefined) return sendCut(response, Buffer.from(whole), reply.cut);
  if (request.stream && reply.junk === undefined) return sendEvents(response, events, reply);
  response.end(whole);
  return undefined;
}

function deliver(
  response: ServerResponse,
  request: RecordedRequest,
  reply: Reply,
): Promise<void> | void {
  if (reply.hang === true) return;
  if (reply.reset === true) return void response.socket?.resetAndDestroy();
  if (reply.pingsEveryMs !== undefined) return sendPings(response, reply.pingsEveryMs);
  if (reply.status !== undefined && reply.status !== 200) {
    return sendPlain(response, reply.status, reply);
  }
  return sendAnswer(response, request, reply);
}

function refusalOf(request: RecordedRequest): Reply | undefined {
  if (request.url !== "/v1/messages")
    return apiError(404, "not_found_error", `Not found: ${request.url}`);
  if (request.headers["x-api-key"] === undefined && request.headers.authorization === undefined) {
    return apiError(401, "authentication_error", "x-api-key header is required");
  }
  if (request.headers["anthropic-version"] === undefined) {
    return apiError(400, "invalid_request_error", "anthropic-version: header is required");
  }
  const fault = faultInRequest(request);
  return fault === undefined ? undefined : apiError(400, "invalid_request_error", fault);
}

export async function startAnthropicServer(script: Script): Promise<AnthropicServer> {
  const requests: RecordedRequest[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    response.on("error", () => response.destroy());
    const closed = new Promise<void>((resolve) => response.on("close", resolve));
    const wire = parseWireRequest(await readBody(incoming));
    const request = { ...wire, headers: incoming.headers, url: incoming.url ?? "", closed };
    requests.push(request);
    const reply = refusalOf(request) ?? (await script(request, requests.length));
    await deliver(response, request, reply);
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      sendPlain(response, 500, { body: { type: "error", error: { message: String(error) } } });
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
