import fc from "fast-check";
import { expect, it } from "vitest";
import { sessionAddress } from "../../src/actors/session-key.ts";
import type { Agent } from "../../src/actors/agent.ts";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { Approval } from "../../src/schema/permission-rows.ts";
import { approvals, runs } from "../actors/hive-watch.ts";
import { agentWith } from "../actors/test-agents.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";

/** Whatever people, deadlines and deaths do to approvals, in whatever order: nothing is executed twice, and nothing that no yes and
 *  no living grant covers. */

const dayMs = 86_400_000;

const moves = {
  ask: (world: World) => world.ask(),
  approve: (world: World, choice: number) => world.decide(choice, { decision: "approve" }),
  grant: (world: World, choice: number) =>
    world.decide(choice, { decision: "approve", scope: "session" }),
  deny: (world: World, choice: number) => world.decide(choice, { decision: "deny" }),
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
type Said = { decision: string; scope?: string; binding?: string; by?: string };

class World {
  hive!: TestHive;
  isForbidden = false;
  readonly breaches: string[] = [];
  private readonly clock = createSimulatedClock(1_000_000);
  private store = createMemoryStore({ tables: allTables, strict: true });
  private readonly files = createMemoryFiles();
  private readonly allowed = new Set<string>();
  private readonly granted = new Set<string>();
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
    if (said.decision === "approve" && said.binding === undefined && said.by === undefined)
      this.mayRun(approval, said);
    const event = { type: "approval.decide", scope: "once", by: "ann", ...said };
    const origin = said.by === undefined ? "cli" : "channel";
    const sent = this.hive.engine.send(approval.address, event, { origin });
    if (how === undefined) await sent;
    else await sent.catch(() => undefined);
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
    await this.hive.engine.settled();
    this.granted.clear();
  }

  /** Only what waits can be allowed from now on. */
  private mayRun({ input, state, proposed_grants }: Approval, { scope }: Said): void {
    const { path, content } = input as { path: string; content: string };
    if (state !== "pending") return;
    this.allowed.add(content);
    if (scope === "session" && proposed_grants.length > 0) this.granted.add(path);
  }

  private watchedFiles() {
    const { files } = this;
    return {
      ...files,
      write: (path: string, content: Uint8Array) => {
        const what = new TextDecoder().decode(content);
        if (this.isForbidden) this.breaches.push(`${what} was written though it is forbidden`);
        if (this.written.has(what)) this.breaches.push(`${what} was written twice`);
        if (!this.allowed.has(what) && !this.granted.has(path))
          this.breaches.push(`${what} was written though nobody allowed it`);
        this.written.add(what);
        return files.write(path, content);
      },
    };
  }
}

const step = fc.tuple(
  fc.constantFrom(...(Object.keys(moves) as Move[]), ...Array<Move>(5).fill("ask")),
  fc.nat(5),
);

it("executes nothing twice and nothing that was not allowed, in any sequence of answers, deadlines and deaths", async () => {
  let written = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const world = new World();
      await world.open();
      for (const [move, choice] of steps) {
        await moves[move](world, choice);
        await world.hive.engine.settled();
      }
      expect(world.breaches).toEqual([]);
      written += (await approvals(world.hive)).filter(({ state }) => state === "approved").length;
    }),
    { numRuns: 20 },
  );
  expect(written).toBeGreaterThan(5);
});
