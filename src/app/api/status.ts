import type { Engine } from "../../engine/engine.ts";
import { actorTable, deadLetterTable } from "../../engine/tables.ts";
import { protocolVersion } from "../../schema/protocol.ts";
import { approvalTable } from "../../schema/rows.ts";
import { workingRuns } from "../working-runs.ts";
import type { Handlers } from "./caller.ts";
import { iso } from "./shown.ts";
import { usageOfDay } from "./usage.ts";

export type StatusOptions = {
  readonly engine: Engine;
  readonly version: string;
  readonly home: string;
  readonly startedAt: number;
  readonly now: () => number;
  readonly agents: readonly string[];
  readonly model: string;
  /** Ends the process after its answer has left. */
  readonly shutdown: (graceMs: number) => void;
};

const counted = 10_000;

export function statusHandlers(options: StatusOptions): Handlers<"hello" | "status" | "shutdown"> {
  const { engine, version, home, startedAt, agents, model } = options;
  return {
    hello: async () => ({ protocol: protocolVersion, version, pid: process.pid }),
    status: async () => {
      const active = await engine.actors({ status: "active", limit: counted });
      const pending = await engine.read.select(approvalTable, {
        index: "by_state",
        equals: ["pending"],
        limit: counted,
      });
      const dead = await engine.read.select(deadLetterTable, { index: "key", limit: counted });
      const quarantined = await engine.read.select(actorTable, {
        index: "by_version",
        equals: ["quarantined"],
        limit: counted,
      });
      const { degraded, queued } = engine.health();
      return {
        pid: process.pid,
        state: active.find((row) => row.address === "system")?.state ?? "unknown",
        version,
        home,
        started_at: iso(startedAt),
        degraded,
        agents,
        model,
        sessions: active.filter((row) => row.machine === "session").length,
        runs: active.filter((row) => row.machine === "run").length,
        approvals: pending.length,
        quarantined: quarantined.length,
        dead_letters: dead.length,
        queued,
        working: workingRuns(engine),
        today: await usageOfDay(engine.read, options.now()),
      };
    },
    shutdown: async ({ grace_ms }) => {
      setImmediate(() => options.shutdown(grace_ms));
      return { working: workingRuns(engine) };
    },
  };
}
