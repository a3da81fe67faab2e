import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createLineReader } from "../../../src/schema/socket/line-reader.ts";
import {
  type ChatEvent,
  type Method,
  protocolVersion,
  type Results,
} from "../../../src/schema/socket/protocol.ts";
import type { ErrorData } from "../../../src/schema/errors.ts";

/** A service that answers as a test tells it to, on the socket of a home of its own. */

export type Request = {
  readonly method: Method;
  readonly params: { readonly [name: string]: unknown };
};

export type FakeService = {
  readonly home: string;
  /** All but those that only ask who is there, in the order in which they came. */
  readonly requests: readonly Request[];
  /** Tells every chat that was begun. */
  tell(...events: readonly ChatEvent[]): void;
  notify(method: string, params: unknown): void;
  /** Ends every connection; new ones are taken as before. */
  hangUp(): void;
};

type Answer<M extends Method> = Results[M] | ErrorData | "silence";
type Answers = { readonly [M in Method]?: Answer<M> | (() => Answer<M>) };

export const accepted: Results["chat.send"] = {
  session_id: "s3",
  address: "session/local:local:cli:owner:main",
  agent_id: "main",
  trace_id: "t1",
  queued: false,
  queue: "follow_up",
  waiting_for: [],
};

export const sampleAgent: Results["chat.agent"] = {
  id: "main",
  name: "Main",
  label: "Main agent",
  emoji: "🦀",
  state: "enabled",
  is_default: true,
  model: "offline/rules",
  model_fault: null,
  tools: ["file_read"],
  config_hash: "h1",
};

export const sampleHello: Results["hello"] = {
  protocol: protocolVersion,
  version: "0.1.0",
  pid: 1,
  home: "/home/you/.statehive",
  started_at: "2026-03-01T11:00:00.000Z",
};

const standard: Answers = {
  "hello": sampleHello,
  "chat.agent": sampleAgent,
  "agents.list": [sampleAgent],
  "chat.send": accepted,
};

const uncounted = new Set<Method>(["hello", "chat.agent", "agents.list"]);

export async function fakeService(answers: Answers = {}): Promise<FakeService> {
  const home = mkdtempSync(join(tmpdir(), "statehive-fake-"));
  mkdirSync(join(home, "run"));
  const requests: Request[] = [];
  const chats: { readonly chat: string; readonly socket: Socket }[] = [];
  const sockets = new Set<Socket>();
  const all = { ...standard, ...answers };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    const onLine = (line: string) => {
      const { id, method, params } = JSON.parse(line) as Request & { id: number };
      if (!uncounted.has(method)) requests.push({ method, params });
      const found = all[method];
      const answer = typeof found === "function" ? found() : found;
      if (answer === "silence") return;
      const isChat = method === "chat.send" || method === "chat.follow";
      if (isChat) chats.push({ chat: String(params["chat"]), socket });
      say(socket, { jsonrpc: "2.0", id, ...outcome(answer) });
    };
    socket.on("data", createLineReader({ maxLineBytes: 1e6, onLine, onOverflow: () => undefined }));
  });
  await new Promise<void>((resolve) => {
    server.listen(join(home, "run", "statehive.sock"), resolve);
  });
  const hangUp = () => sockets.forEach((socket) => socket.destroy());
  onTestFinished(() => {
    hangUp();
    server.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    home,
    requests,
    hangUp,
    notify: (method, params) =>
      sockets.forEach((socket) => say(socket, { jsonrpc: "2.0", method, params })),
    tell(...events) {
      for (const event of events) {
        for (const { chat, socket } of chats) {
          say(socket, { jsonrpc: "2.0", method: methodOf(event), params: { chat, event } });
        }
      }
    },
  };
}

function outcome(answer: unknown): object {
  const isError = typeof answer === "object" && answer !== null && "code" in answer;
  if (!isError) return { result: answer ?? {} };
  return { error: { code: -32000, message: "", data: answer } };
}

function methodOf({ type }: ChatEvent): string {
  if (type === "text.delta") return "chat.delta";
  return type === "run.finished" ? "chat.end" : "chat.tool";
}

function say(socket: Socket, message: object): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}
