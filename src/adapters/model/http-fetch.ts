import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { wholeCharactersIn } from "../../text/whole-characters.ts";

/** Enough of `fetch` for the SDK, over node:http: the platform's costs more CPU than all else in a model call.
 *  No redirect is followed and nothing is compressed; a body
 *  of text is JSON. Source: docs/decisions/0003-anthropic-adapter.md */

type FetchInit = {
  readonly method?: string;
  readonly headers: Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
};

export type HttpResponse = {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
};

/** @throws the connection's own error, with its `code` */
export function httpFetch(url: string, init: FetchInit): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith("https:") ? requestHttps : requestHttp;
    const request = send(url, {
      method: init.method ?? "GET",
      headers: { ...Object.fromEntries(init.headers), "accept-encoding": "identity" },
      /** None while a request is under way; the agent ends connections that are idle for some seconds. */
      timeout: 0,
    });
    request.on("error", reject);
    request.on("response", (message) => resolve(toResponse(url, message)));
    stopOn(init.signal, request);
    request.end(typeof init.body === "string" ? wholeCharactersIn(init.body) : init.body);
  });
}

/** node:http's own `signal` is of no use: it also ends a connection whose answer is complete, and nobody hears that error. */
function stopOn(signal: AbortSignal | undefined, request: ClientRequest): void {
  if (signal === undefined) return;
  let running: ClientRequest | IncomingMessage = request;
  const stop = () => void running.destroy();
  request.on("response", (message) => {
    running = message;
  });
  request.on("close", () => signal.removeEventListener("abort", stop));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
}

function toResponse(url: string, message: IncomingMessage): HttpResponse {
  const status = message.statusCode ?? 0;
  /** Whoever reads meets the error; without a listener it would end the process if nobody reads yet. */
  message.on("error", () => {});
  return {
    ok: status >= 200 && status < 300,
    status,
    url,
    headers: new Headers(message.headers as Record<string, string>),
    body: message,
    text: () => textOf(message),
  };
}

async function textOf(message: IncomingMessage): Promise<string> {
  message.setEncoding("utf8");
  let text = "";
  for await (const part of message) text += part as string;
  return text;
}
