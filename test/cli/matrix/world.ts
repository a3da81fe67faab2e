import { scheduleAddress } from "../../../src/actors/schedule/address.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { openLibsqlStore } from "../../../src/adapters/engine/open-libsql.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { pairingTable } from "../../../src/schema/rows/channel-rows.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { fileOriginTable } from "../../../src/schema/rows/file-origin-rows.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import type { Engine } from "../../../src/engine/engine.ts";
import { definitionOf } from "../../actors/schedule/schedule-support.ts";
import { connect } from "../../../src/client/connection.ts";
import { initHome } from "../../../src/config/home.ts";
import { createChannelHive, says } from "../../support/channel-hive.ts";
import { run } from "../support/fake-terminal.ts";
import { startTelegramServer } from "../../support/telegram-server.ts";
import { runService } from "../../../src/server/run-service.ts";
import type { ShownApproval, ShownRun } from "../../../src/schema/socket/protocol.ts";
import type { ShownDelivery } from "../../../src/schema/shown/shown-channels.ts";
import type { ShownGrant } from "../../../src/schema/shown/shown.ts";

/** A home whose service, in this process, has had conversations: what the rows of the matrix are run against. */
export type World = {
  readonly home: string;
  /** What waits in the conversation of that name. */
  waiting(session: ConversationName): ShownApproval;
  /** A run that has ended. */
  readonly ended: ShownRun;
  /** A change of memory that can be taken back. */
  readonly remembered: string;
  /** The number of its first step. */
  readonly firstStep: number;
  /** The id of what a conversation asks, as soon as it does. */
  opened(session: string): Promise<string>;
  /** What a person has allowed for the session of the conversation `granted`. */
  readonly grant: ShownGrant;
  /** The code of a stranger at the connector `tg`. */
  readonly code: string;
  /** A message to somebody there: one may not have arrived, and one waits. */
  delivery(state: "unknown" | "pending"): ShownDelivery;
  /** Its service runs from the beginning; it is started and stopped as often as one likes. */
  startService(): Promise<void>;
  stopService(): Promise<void>;
  remove(): Promise<void>;
};

/** Each command that changes something has a conversation of its own to change. */
const conversations = {
  stays: "write a to stays.txt",
  allow: "write a to allow.txt",
  deny: "write a to deny.txt",
  answer: "ask me whether I want tea or coffee",
  send: "write a to send.txt",
  cancel: "write a to cancel.txt",
  task: "write a to task.txt",
  granted: "write a to granted.txt",
  reset: "write a to reset.txt",
} as const;

const schedules = `
- { id: report, cron: "0 0 1 1 *", agent: main, task: "say hello" }
- { id: other, cron: "0 0 1 1 *", agent: main, task: "say hello" }
`;

const token = "8001:token-of-tg";

/** With vectors a search finds the same as the file's, but weighs it otherwise as soon as they are there. */
const wordsAlone = "embeddings: { provider: none }\n";

export type ConversationName = keyof typeof conversations;

/** What a connector did in the past: it let a friend in, answered them, and has a stranger who asks. */
async function leaveConnector(home: string, apiRoot: string): Promise<void> {
  const connector = `connectors: [{ id: tg, type: telegram, token: env:TG_TOKEN, api_root: ${apiRoot} }]\n`;
  writeFileSync(join(home, "config/main.yaml"), connector + wordsAlone);
  const hive = await createChannelHive({
    store: await openStore(home),
    clock: createSimulatedClock(Date.now()),
  });
  const { channel, engine } = hive;
  const full = { retryable: true, retryAfterMs: 3_600_000 };
  const hear = async (text: string, from: string) => {
    await channel.put(says(text, { from }));
    await engine.settled();
  };
  await hear("let me in", "7007");
  const [open] = await engine.read.select(pairingTable, { index: "by_created" });
  const approve = { type: "pairing.approve", code: open?.code ?? "", by: "cli" };
  await engine.send("connector/tg", approve, { origin: "cli" });
  await hear("let me in too", "7008");
  channel.sendFaults.push({ kind: "lose_answer" });
  await hear("hello", "1001");
  const busy = new AgentError("channel.rate_limited", "429", full);
  channel.sendFaults.push({ kind: "refuse", error: busy });
  await hear("hello", "1002");
  await leaveSchedules(engine);
  await engine.close();
}

/** Two that an agent has made, one of them paused. */
async function leaveSchedules(engine: Engine): Promise<void> {
  for (const schedule_id of ["main.old", "main.asleep"]) {
    const input = { schedule_id, source: "agent", definition: definitionOf("0 0 1 1 *") };
    const address = scheduleAddress(schedule_id);
    await engine.create(address, { machine: "schedule", input, supervisor: "system" });
  }
  const asleep = scheduleAddress("main.asleep");
  await engine.send(asleep, { type: "schedule.pause" }, { origin: "cli" });
}

function openStore(home: string) {
  const url = `file:${join(home, "data/statehive.db")}`;
  return openLibsqlStore({ url, tables: allTables, durability: "process" });
}

/** A file that a run wrote in the past, when it held text of a page. */
async function leaveMark(home: string): Promise<void> {
  const store = await openStore(home);
  const origins = ["web:page.example"];
  store.begin();
  store.put(fileOriginTable, {
    workspace: join(home, "workspace/main"),
    path: "notes.md",
    origins,
    at: 0,
  });
  await store.commit();
  await store.close();
}

const dailyNotes = "main/local/2026-01-05.md";

/** What a person wrote before the service began. */
function leaveMemories(home: string): void {
  mkdirSync(join(home, "memory/main/local"), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "memory/main/local/MEMORY.md"), "- The door code is 4711.\n");
  writeFileSync(join(home, "memory", dailyNotes), "- Tea at five.\n");
}

async function serve(home: string) {
  const env = { TG_TOKEN: token };
  const service = await runService({ home, env, version: "0.1.0", writeLog: () => undefined });
  const { call } = await connect({ socketPath: service.socketPath });
  return { call, stop: () => service.stop(0) };
}

export async function createWorld(): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), "statehive-matrix-"));
  const home = join(root, "home");
  initHome(home);
  await run(["agents", "add", "helper", "--home", home]);
  await leaveMark(home);
  leaveMemories(home);
  writeFileSync(join(home, "config/schedules.yaml"), schedules);
  const telegram = await startTelegramServer();
  telegram.bot(token);
  await leaveConnector(home, telegram.url);
  const first = await serve(home);
  let service: typeof first | undefined = first;
  const { call } = first;
  await call("chat.send", { chat: "hello", text: "hello", session: "hello" });
  for (const [session, text] of Object.entries(conversations))
    await call("chat.send", { chat: session, text, session });
  const approvals = await vi.waitFor(async () => {
    const open = await call("approvals.list", {});
    if (open.length < Object.keys(conversations).length) throw new Error("not all wait yet");
    return open;
  });
  const ended = await vi.waitFor(async () => {
    const runs = await call("runs.list", {});
    const done = runs.find(({ state }) => state === "done");
    if (done === undefined) throw new Error("no run has ended");
    return done;
  });
  const { frames } = await call("runs.replay", { id: ended.run_id, limit: 1 });
  const toGrant = approvals.find(({ summary }) => summary.includes("granted.txt"));
  const decided = { id: toGrant?.id ?? "", decision: "approve", scope: "session" } as const;
  await call("approvals.decide", decided);
  const [grant] = await call("grants.list", {});
  if (grant === undefined) throw new Error("nothing is granted");
  const remembered = await vi.waitFor(async () => {
    const [seen] = await call("memory.log", { path: dailyNotes });
    if (seen === undefined) throw new Error("the notes were not seen yet");
    return seen.id;
  });
  const pairings = await call("pairings.list", {});
  const deliveries = await call("deliveries.list", { connector: "tg" });
  return {
    home,
    ended,
    remembered,
    firstStep: frames[0]?.seq ?? 0,
    grant,
    code: pairings.find(({ code }) => code !== null)?.code ?? "",
    delivery: (state) => {
      const found = deliveries.find((one) => one.state === state);
      if (found === undefined) throw new Error(`no delivery is ${state}`);
      return found;
    },
    waiting: (session) => {
      const found = approvals.find(({ address }) => address.includes(`:${session}:`));
      if (found === undefined) throw new Error(`nothing waits in ${session}`);
      return found;
    },
    opened: (session) =>
      vi.waitFor(async () => {
        const open = (await service?.call("approvals.list", {})) ?? [];
        const id = open.find(({ address }) => address.includes(`:${session}:`))?.id;
        if (id === undefined) throw new Error(`nothing is asked in ${session}`);
        return id;
      }),
    startService: async () => {
      service ??= await serve(home);
    },
    stopService: async () => {
      await service?.stop();
      service = undefined;
    },
    remove: async () => {
      await service?.stop();
      await telegram.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
