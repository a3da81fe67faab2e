import fc from "fast-check";
import { expect, it } from "vitest";
import { sessionAddress } from "../../src/actors/session-key.ts";
import type { Agent } from "../../src/actors/agent.ts";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { type Approval, grantTable } from "../../src/schema/rows/permission-rows.ts";
import { approvals, runs } from "../actors/hive-watch.ts";
import { agentWith } from "../actors/test-agents.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";

/** Whatever people, deadlines and deaths do to approvals and grants, in whatever order: nothing is executed twice, and nothing that
 *  no yes and no living grant covers. */

const dayMs = 86_400_000;
const minuteMs = 60_000;

const moves = {
  ask: (world: World) => world.ask(),
  approve: (world: World, choice: number) => world.decide(choice, { decision: "approve" }),
  grant: (world: World, choice: number) =>
    world.decide(choice, { decision: "approve", scope: "session" }),
  grant_for_run: (world: World, choice: number) =>
    world.decide(choice, { decision: "approve", scope: "run" }),
  grant_until: (world: World, choice: number) =>
    world.decide(choice, {
      decision: "approve",
      scope: "session",
      until: world.now() + 10 * minuteMs,
    }),
  revoke: (world: World) => world.revoke(),
  wait: async (world: World) => world.hive.clock.advance(20 * minuteMs),
  deny: (world: World, choice: number) => world.decide(choice, { decision: "deny" }),
  deny_for_session: (world: World, choice: number) =>
    world.decide(choice, { decision: "deny", scope: "session" }),
  mistake: (world: World, choice: number) =>
    world.decide(choice, { decision: "approve", binding: "of something else" }),
  intrude: (world: World, choice: number) =>
    world.decide(choice, { decision: "approve", by: "tg_main:666" }),
  die_after_yes: async (world: World, choice: number) => {
    await world.decide(choice, { decision: "approve" }, "unsettled");
    await world.die();
  },
  die: (world: World) => world.die(),
  expire: async (world: World) => world.hive.clock.advance(dayMs),
  cancel: (world: World) => world.cancelRun(),
  close: (world: World) => world.closeSession(),
  forbid: async (world: World) => void (world.isForbidden = true),
  permit: async (world: World) => void (world.isForbidden = false),
} as const;

type Move = keyof typeof moves;
type Said = { decision: string; scope?: string; binding?: string; by?: string; until?: number };

/** What a person's yes to a path is good for. */
type Granted = { readonly run?: string; readonly until: number };

class World {
  hive!: TestHive;
  isForbidden = false;
  readonly breaches: string[] = [];
  private readonly clock = createSimulatedClock(1_000_000);
  private store = createMemoryStore({ tables: allTables, strict: true });
  private readonly files = createMemoryFiles();
  private readonly allowed = new Set<string>();
  private readonly granted = new Map<string, readonly Granted[]>();
  private readonly refused = new Set<string>();
  private readonly written = new Set<string>();
  private asked = 0;

  async open(): Promise<void> {
    const agent = agentWith({ files: this.watchedFiles() });
    const forbidden: Agent = { ...agent, policy: { ...agent.policy, deny: ["fs.write:**"] } };
    this.hive = await createTestHive({
      store: this.store,
      clock: this.clock,
      agents: { get: () => (this.isForbidden ? forbidden : agent), restore: () => undefined },
    });
    this.hive.engine.onStep(({ address, machine, state_after }) =>
      this.ended(address, machine, state_after),
    );
  }

  async ask(): Promise<void> {
    this.asked += 1;
    const calls = ["a", "b"].map((name) => {
      const input = { path: `${name}.txt`, content: `${name}${this.asked}` };
      return `call file_write ${JSON.stringify(input)}`;
    });
    await this.hive.say(calls.join("\n"), place, undefined, "interrupt");
  }

  async decide(choice: number, said: Said, how?: "unsettled"): Promise<void> {
    const all = (await approvals(this.hive)).filter(({ kind }) => kind === "call");
    const open = all.filter(({ state }) => state === "pending");
    const candidates = open.length > 0 && choice < 5 ? open : all;
    const approval = candidates[choice % Math.max(1, candidates.length)];
    if (approval === undefined) return;
    this.expect(approval, said);
    const event = { type: "approval.decide", scope: "once", by: "ann", ...said };
    const origin = said.by === undefined ? "cli" : "channel";
    const sent = this.hive.engine.send(approval.address, event, { origin });
    if (how === undefined) await sent;
    else await sent.catch(() => undefined);
  }

  /** What is true once the word is taken; of what waits no more, and of a word that does not count, nothing. */
  private expect(approval: Approval, { decision, scope, binding, by, until }: Said): void {
    if (binding !== undefined || by !== undefined || approval.state !== "pending") return;
    if (decision === "approve") this.mayRun(approval, scope, until);
    else if (scope === "session") this.refused.add(pathOf(approval));
  }

  async die(): Promise<void> {
    this.store = this.store.crash();
    await this.open();
  }

  async cancelRun(): Promise<void> {
    const open = (await runs(this.hive)).findLast(({ ended_at }) => ended_at === null);
    if (open === undefined) return;
    await this.hive.engine.send(open.address, { type: "run.cancel" }, { origin: "cli" });
  }

  async closeSession(): Promise<void> {
    await this.hive.engine.send(
      sessionAddress(place),
      { type: "session.cancel" },
      { origin: "cli" },
    );
  }

  now(): number {
    return this.clock.now();
  }

  /** The oldest, whatever it says. */
  async revoke(): Promise<void> {
    const [grant] = await this.hive.engine.read.select(grantTable, { index: "by_given", limit: 1 });
    if (grant === undefined) return;
    const { grant_id, capability, effect, scope, expires_at } = grant;
    const event = { type: "grant.revoke", grant_id, by: "ann" };
    await this.hive.engine.send(sessionAddress(place), event, { origin: "cli" });
    const path = capability.slice("fs.write:".length);
    if (effect === "deny") return void this.refused.delete(path);
    const [first, ...others] = this.granted.get(path) ?? [];
    const isTheOnlyKind = (scope === "run") === (first?.run !== undefined) && others.length === 0;
    if (isTheOnlyKind && (expires_at ?? Infinity) === first?.until) this.granted.delete(path);
  }

  /** What was granted for it ends in this very step. */
  private ended(address: string, machine: string, state: string | null): void {
    if (machine === "session" && state === "closed") {
      this.granted.clear();
      this.refused.clear();
    }
    if (machine !== "run" || !["done", "failed", "cancelled"].includes(state ?? "")) return;
    for (const [path, all] of this.granted)
      this.granted.set(
        path,
        all.filter(({ run }) => run === undefined || !address.endsWith(run)),
      );
  }

  private isGranted(path: string): boolean {
    return (this.granted.get(path) ?? []).some(({ until }) => this.now() < until);
  }

  /** Only what waits can be allowed from now on. */
  private mayRun(approval: Approval, scope?: string, until = Infinity): void {
    const path = pathOf(approval);
    this.allowed.add(approval.input["content"] as string);
    if (scope === undefined) return;
    const granted = scope === "run" ? { run: `/run/${approval.run_id}`, until } : { until };
    this.granted.set(path, [...(this.granted.get(path) ?? []), granted]);
  }

  private watchedFiles() {
    const { files } = this;
    return {
      ...files,
      write: (path: string, content: Uint8Array) => {
        const what = new TextDecoder().decode(content);
        if (this.isForbidden) this.breaches.push(`${what} was written though it is forbidden`);
        if (this.written.has(what)) this.breaches.push(`${what} was written twice`);
        if (this.refused.has(path))
          this.breaches.push(`${what} was written though a person said no`);
        if (!this.allowed.has(what) && !this.isGranted(path))
          this.breaches.push(`${what} was written though nobody allowed it`);
        this.written.add(what);
        return files.write(path, content);
      },
    };
  }
}

const pathOf = ({ input }: Approval) => input["path"] as string;

const step = fc.tuple(
  fc.constantFrom(...(Object.keys(moves) as Move[]), ...Array<Move>(5).fill("ask")),
  fc.nat(5),
);

it("executes nothing twice and nothing that was not allowed, in any sequence of answers, deadlines and deaths", async () => {
  let written = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
      const world = new World();
      await world.open();
      for (const [move, choice] of steps) {
        await moves[move](world, choice);
        await world.hive.engine.settled();
      }
      expect(world.breaches).toEqual([]);
      written += (await approvals(world.hive)).filter(({ state }) => state === "approved").length;
    }),
    { numRuns: 60 },
  );
  expect(written).toBeGreaterThan(5);
});
