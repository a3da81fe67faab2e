import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Connection } from "../../src/client/connection.ts";
import { type RecordedRequest, type Reply, says } from "../support/anthropic-server.ts";
import { createJobHome } from "../support/jobs.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

/** A real service that is killed while a conversation is summed up, and while a short account of one is written. */

const agentYaml = `id: main
tools: { allow: [memory_write] }
capabilities: { boundary: ["memory.write:own"], grant: ["memory.write:own"], deny: [] }
`;
const key = (name: string) => `local:local:${name}:owner:main`;
const textIn = ({ messages }: RecordedRequest) => JSON.stringify(messages);
const isRecord = (request: RecordedRequest) => systemIn(request).includes("You keep the record");
const isEntry = (request: RecordedRequest) => systemIn(request).includes("You write an entry");
const systemIn = (request: RecordedRequest) => JSON.stringify(request.system ?? "");

/** Answers, but for the first question of each kind aside: that it leaves open. */
function holdsFirst() {
  const seen = { record: 0, entry: 0 };
  const script = (request: RecordedRequest): Reply => {
    if (isRecord(request)) {
      seen.record += 1;
      const facts = [...new Set(textIn(request).match(/message \d/g))];
      return seen.record === 1
        ? { hang: true }
        : says(JSON.stringify({ summary: `Told: ${facts.join()}`, facts }));
    }
    if (isEntry(request)) {
      seen.entry += 1;
      return seen.entry === 1 ? { hang: true } : says(JSON.stringify({ entry: "They parted." }));
    }
    return says("Yes.");
  };
  return { seen, script };
}

async function begin() {
  const { seen, script } = holdsFirst();
  const home = await createJobHome({
    script,
    mainYaml: "sessions: { history_messages: 6 }\n",
  });
  writeFileSync(join(home.home, "config/agents.d/main.yaml"), agentYaml, { mode: 0o600 });
  mkdirSync(join(home.home, "memory"), { recursive: true, mode: 0o700 });
  const alive: { service: ServiceProcess; connection: Connection }[] = [];
  const start = async () => {
    const service = await startServiceProcess(home);
    alive.push({ service, connection: await service.connect() });
  };
  /** It may die before anybody could connect. */
  const startAndDie = async (killAt: string) =>
    (await startServiceProcess({ ...home, killAt })).ended;
  const present = () => {
    const last = alive.at(-1);
    if (last === undefined) throw new Error("no service runs");
    return last;
  };
  await start();
  return {
    home,
    seen,
    start,
    startAndDie,
    die: () => present().service.kill(),
    stop: async () => {
      await present().service.stop();
      await home.close();
    },
    say: (session: string, text: string) =>
      present().connection.call("chat.send", { chat: text, text, session, idempotency_key: text }),
    reset: (session: string) => present().connection.call("sessions.reset", { id: key(session) }),
    shown: (session: string) =>
      present().connection.call("sessions.show", { id: key(session), limit: 100 }),
    entries: () =>
      readdirSync(join(home.home, "memory"), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".md"))
        .flatMap((path) => readFileSync(join(home.home, "memory", path), "utf8").split("\n"))
        .flatMap((line) => /^- (.*?) <!--/.exec(line)?.[1] ?? []),
  };
}

const soon = { timeout: 60_000, interval: 20 };

it("sums up once, and loses nothing, killed while it sums up, while it remembers and while it takes leave", async () => {
  const play = await begin();
  const { seen, shown, say, entries } = play;
  const answers = async (session: string) =>
    (await shown(session)).messages.filter(({ role }) => role === "assistant").length;
  await say("a", "message 1");
  await expect.poll(() => answers("a"), soon).toBe(1);
  await say("a", "message 2");
  await expect.poll(() => answers("a"), soon).toBe(2);
  await say("a", "message 3");
  await expect.poll(() => seen.record, soon).toBe(1);
  await say("a", "message 4");
  expect((await shown("a")).state).toBe("compacting.summarizing");
  await play.die();

  await play.startAndDie("after session:xstate.done.actor.summarizeHistory");

  await play.start();
  await expect.poll(() => answers("a"), soon).toBe(4);
  await expect.poll(async () => (await shown("a")).state, soon).toBe("idle");
  expect(seen.record).toBe(2);
  expect(entries()).toEqual(["message 1", "message 2"]);
  const asked = play.home.model.requests.findLast((request) =>
    textIn(request).includes("message 4"),
  );
  expect(textIn(asked as RecordedRequest)).toContain("> Told: message 1,message 2");

  await say("b", "goodbye");
  await expect.poll(() => answers("b"), soon).toBe(1);
  await play.reset("b");
  await expect.poll(() => seen.entry, soon).toBe(1);
  await play.die();
  await play.start();
  await expect.poll(entries, soon).toEqual(["message 1", "message 2", "They parted."]);
  expect(seen.entry).toBe(2);
  await play.stop();
});
