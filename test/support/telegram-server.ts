import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import {
  type Account,
  type BotProfile,
  createAccount,
  type TelegramCall,
} from "./telegram/account.ts";
import { createFakeBot, type FakeBot } from "./telegram/fake-bot.ts";
import { isBeforeEffect, suffer } from "./telegram/faults.ts";
import { methods } from "./telegram/methods.ts";
import { createWaiting, type Waiting } from "./telegram/waiting.ts";
import { readParams, Refusal, refusalBody } from "./telegram/wire.ts";
import { createWorld } from "./telegram/world.ts";

export { faults } from "./telegram/faults.ts";
export { manglers } from "./telegram/update-queue.ts";
export type { FakeBot } from "./telegram/fake-bot.ts";

/** A Bot API on loopback for several bots at once. It stays up while the service that uses it is killed and started again. */
export type TelegramServer = {
  /** The service's `api_root`. */
  readonly url: string;
  /** A bot of its own; the number before the colon of the token is its id. */
  bot(token: string, profile?: BotProfile): FakeBot;
  /** Nobody listens any more: connections are refused. */
  goDown(): Promise<void>;
  /** Listens again, where it did. */
  comeUp(): Promise<void>;
  until: Waiting["until"];
  close(): Promise<void>;
};

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function sendFile(account: Account, path: string, response: ServerResponse): Promise<void> {
  const file = [...account.files.values()].find((one) => one.path === path);
  if (file === undefined)
    return answerJson(response, 404, refusalBody(new Refusal(404, "Not Found")));
  const size = file.length === undefined ? {} : { "content-length": file.length };
  response.writeHead(200, { "content-type": "application/octet-stream", ...size });
  await pipeline(Readable.from(file.bytes()), response).catch(() => response.destroy());
}

async function carryOut(account: Account, call: TelegramCall, whenGone: Promise<void>) {
  const method = methods[call.method.toLowerCase()];
  try {
    if (method === undefined) throw new Refusal(404, "Not Found");
    return {
      status: 200,
      body: { ok: true, result: await method(account, call.params, whenGone) },
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.errorCode, body: refusalBody(error) };
  }
}

type Exchange = {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly changed: () => void;
};

async function serveMethod(account: Account, method: string, exchange: Exchange): Promise<void> {
  const { incoming, response } = exchange;
  const whenGone = new Promise<void>((resolve) => response.on("close", resolve));
  const fault = account.faults.take(method);
  const at = Date.now();
  if (fault?.kind === "reset") {
    account.calls.push({ method, params: {}, at, answered: undefined });
    return suffer(response, fault);
  }
  const call: TelegramCall = {
    method,
    params: await readParams(incoming, exchange.query),
    at,
    answered: undefined,
  };
  account.calls.push(call);
  if (fault !== undefined && isBeforeEffect(fault)) return suffer(response, fault);
  const carriedOut = carryOut(account, call, whenGone);
  exchange.changed();
  const { status, body } = await carriedOut;
  if (fault !== undefined) return suffer(response, fault);
  call.answered = status;
  answerJson(response, status, body);
}

const path = /^\/(file\/)?bot([^/]+)\/(.+)$/;

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export async function startTelegramServer(): Promise<TelegramServer> {
  const accounts = new Map<string, Account>();
  const world = createWorld();
  const waiting = createWaiting(() =>
    [...accounts.values()].map((one) => `${one.username}: ${lastCalls(one)}`).join("; "),
  );
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const [, file, token = "", rest = ""] = path.exec(decodeURIComponent(url.pathname)) ?? [];
    const account = accounts.get(token);
    const code = /^\d+:[\w-]+$/.test(token) ? 401 : 404;
    const words = code === 401 ? "Unauthorized" : "Not Found";
    if (account === undefined)
      return answerJson(response, code, refusalBody(new Refusal(code, words)));
    if (file !== undefined) return await sendFile(account, rest, response);
    const { changed } = waiting;
    await serveMethod(account, rest, { incoming, response, query: url.searchParams, changed });
  };
  const server = createServer((incoming, response) => {
    response.on("error", () => response.destroy());
    serve(incoming, response)
      .catch((error: unknown) =>
        answerJson(response, 500, { ok: false, error_code: 500, description: String(error) }),
      )
      .finally(waiting.changed);
  });
  server.keepAliveTimeout = 60_000;
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    bot: (token, profile = {}) => {
      const account = createAccount(token, profile, world);
      accounts.set(token, account);
      return createFakeBot(account, waiting);
    },
    goDown: () => stopListening(server),
    comeUp: async () => {
      if (!server.listening) await listen(server, port);
    },
    until: waiting.until,
    close: () => stopListening(server),
  };
}

function lastCalls({ calls, sent }: Account): string {
  const named = calls.slice(-5).map((one) => one.method);
  return `${sent.length} messages sent, the last "${sent.at(-1)?.text.slice(0, 200) ?? ""}"; calls end with ${named.join(", ")}`;
}
