import { openLibsqlStore } from "../../../src/adapters/engine/open-libsql.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { fileOriginTable } from "../../../src/schema/file-origin-rows.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { connect } from "../../../src/client/connection.ts";
import { initHome } from "../../../src/config/home.ts";
import { runService } from "../../../src/server/run-service.ts";
import type { ShownApproval, ShownRun } from "../../../src/schema/protocol.ts";
import type { ShownGrant } from "../../../src/schema/shown.ts";

/** A home whose service, in this process, has had conversations: what the rows of the matrix are run against. */
export type World = {
  readonly home: string;
  /** What waits in the conversation of that name. */
  waiting(session: ConversationName): ShownApproval;
  /** A run that has ended. */
  readonly ended: ShownRun;
  /** The number of its first step. */
  readonly firstStep: number;
  /** The id of what a conversation asks, as soon as it does. */
  opened(session: string): Promise<string>;
  /** What a person has allowed for the session of the conversation `granted`. */
  readonly grant: ShownGrant;
  stopService(): Promise<void>;
  remove(): void;
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

export type ConversationName = keyof typeof conversations;

/** A file that a run wrote in the past, when it held text of a page. */
async function leaveMark(home: string): Promise<void> {
  const url = `file:${join(home, "data/statehive.db")}`;
  const store = await openLibsqlStore({ url, tables: allTables, durability: "process" });
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

export async function createWorld(): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), "statehive-matrix-"));
  const home = join(root, "home");
  initHome(home);
  await leaveMark(home);
  const service = await runService({
    home,
    env: {},
    version: "0.1.0",
    writeLog: () => undefined,
  });
  const connection = await connect({ socketPath: service.socketPath });
  const { call } = connection;
  await call("chat.send", { chat: "hello", text: "hello", session: "hello" });
  for (const [session, text] of Object.entries(conversations))
    await call("chat.send", { chat: session, text, session });
  const approvals = await vi.waitFor(async () => {
    const open = await call("approvals.list", {});
    if (open.length < Object.keys(conversations).length) throw new Error("not all wait yet");
    return open;
  }, 10_000);
  const ended = await vi.waitFor(async () => {
    const runs = await call("runs.list", {});
    const done = runs.find(({ state }) => state === "done");
    if (done === undefined) throw new Error("no run has ended");
    return done;
  }, 10_000);
  const { frames } = await call("runs.replay", { id: ended.run_id, limit: 1 });
  const toGrant = approvals.find(({ summary }) => summary.includes("granted.txt"));
  const decided = { id: toGrant?.id ?? "", decision: "approve", scope: "session" } as const;
  await call("approvals.decide", decided);
  const [grant] = await call("grants.list", {});
  if (grant === undefined) throw new Error("nothing is granted");
  return {
    home,
    ended,
    firstStep: frames[0]?.seq ?? 0,
    grant,
    waiting: (session) => {
      const found = approvals.find(({ address }) => address.includes(`:${session}:`));
      if (found === undefined) throw new Error(`nothing waits in ${session}`);
      return found;
    },
    opened: (session) =>
      vi.waitFor(async () => {
        const open = await call("approvals.list", {});
        const id = open.find(({ address }) => address.includes(`:${session}:`))?.id;
        if (id === undefined) throw new Error(`nothing is asked in ${session}`);
        return id;
      }, 10_000),
    stopService: () => service.stop(0),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
