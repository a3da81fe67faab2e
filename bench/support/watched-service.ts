import type { Caller } from "../../src/app/api/caller.ts";
import { createService } from "../../src/app/service.ts";
import { makeHomeDirectories } from "../../src/config/home.ts";
import { listen } from "../../src/server/socket-server.ts";
import { answerParent } from "./child.ts";
import { cpuOf, heapUsed } from "./measure.ts";

/** A whole service with many actors that wait, and with turns that go on among them at an even pace. */

export type ServiceOrder =
  | { readonly do: "fill"; readonly conversations: number }
  /** As many turns at once. */
  | { readonly do: "flood"; readonly turns: number }
  | { readonly do: "work"; readonly ms: number; readonly turnsPerSecond: number };

export type Worked = { readonly cpuMs: number; readonly wallMs: number; readonly steps: number };

const [home = ""] = process.argv.slice(2);
makeHomeDirectories(home, ["main"]);
const service = await createService({ home, env: {}, version: "bench", writeLog: () => {} });
await listen(service, () => undefined);
const api = service.api(() => undefined);
const talking = 20;
let turns = 0;

function caller(onEnd: () => void): Caller {
  return {
    origin: "api",
    name: "api",
    introduce: () => {},
    notify: (method) => void (method === "chat.end" && onEnd()),
    drained: async () => {},
    onEnd: () => () => {},
  };
}

const nobody = caller(() => {});

/** Resolves when the run has ended. */
function turn(session: string): Promise<void> {
  return new Promise((resolve, reject) => {
    turns += 1;
    const said = { chat: `c${turns}`, text: "hello", session };
    api["chat.send"](said, caller(resolve)).catch(reject);
  });
}

async function fill(conversations: number): Promise<object> {
  for (let at = 0; at < conversations; at += 1) {
    const text = `write a to ${at}.txt`;
    await api["chat.send"]({ chat: `w${at}`, text, session: `waiting${at}` }, nobody);
  }
  for (;;) {
    const { approvals } = await api.status({}, nobody);
    if (approvals === conversations) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (let at = 0; at < talking; at += 1) await turn(`talking${at}`);
  const actors = await api["actors.tree"]({ all: false, limit: 10_000 }, nobody);
  return { actors: actors.length };
}

async function flood(count: number): Promise<object> {
  for (let at = 0; at < count; at += talking) {
    await Promise.all(Array.from({ length: talking }, (_, who) => turn(`talking${who}`)));
  }
  return { heap: heapUsed() };
}

async function newestSeq(): Promise<number> {
  const endings: (() => void)[] = [];
  const onEnd: Caller["onEnd"] = (call) => {
    endings.push(call);
    return () => {};
  };
  const passing: Caller = { ...nobody, onEnd };
  const { steps } = await api["actors.subscribe"]({ prefix: "", recent: 1 }, passing);
  for (const end of endings) end();
  return steps.at(-1)?.seq ?? 0;
}

async function work({
  ms,
  turnsPerSecond,
}: Extract<ServiceOrder, { do: "work" }>): Promise<Worked> {
  const before = await newestSeq();
  const from = performance.now();
  const cpuMs = await cpuOf(async () => {
    const open: Promise<void>[] = [];
    for (let at = 0; performance.now() - from < ms; at += 1) {
      open.push(turn(`talking${at % talking}`));
      const due = from + ((at + 1) * 1000) / turnsPerSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    }
    await Promise.all(open);
  });
  const wallMs = performance.now() - from;
  return { cpuMs, wallMs, steps: (await newestSeq()) - before };
}

answerParent(async (message) => {
  if (message === "where") return { socket: service.paths.socket };
  const order = message as ServiceOrder;
  if (order.do === "fill") return fill(order.conversations);
  return order.do === "flood" ? flood(order.turns) : work(order);
});
