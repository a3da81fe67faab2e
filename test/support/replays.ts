import { machineEntries } from "../../src/actors/machine-entries.ts";
import type { Caller } from "../../src/app/api/caller.ts";
import { replayReads } from "../../src/app/api/replays.ts";
import { createMachineRegistry } from "../../src/engine/machine-registry.ts";
import type { CommittedReader } from "../../src/ports/store.ts";
import { methodResults } from "../../src/schema/socket/results.ts";
import type { ReplayFrame, ReplayPage, RunMoment } from "../../src/schema/shown/replay.ts";
import { type Run, runTable } from "../../src/schema/rows/run-rows.ts";

/** The journal views over a hive's rows, as the socket has them; every answer is held to its shape. */

export const nobody: Caller = {
  origin: "cli",
  name: "cli",
  introduce: () => {},
  notify: () => {},
  drained: async () => {},
  onEnd: () => () => {},
};

export function journalViews(read: CommittedReader, machines = machineEntries) {
  const api = replayReads(read, createMachineRegistry(machines));
  return {
    async page(id: string, after_seq = 0, limit = 500): Promise<ReplayPage> {
      const page = await api["runs.replay"]({ id, after_seq, limit }, nobody);
      return methodResults["runs.replay"].parse(page);
    },
    async moment(id: string, seq: number): Promise<RunMoment> {
      const moment = await api["runs.moment"]({ id, seq }, nobody);
      return methodResults["runs.moment"].parse(moment);
    },
  };
}

export function runsOf(read: CommittedReader): Promise<Run[]> {
  return read.select(runTable, { index: "by_started" });
}

/** What a test compares: one line a step, `5 r2 slot.granted idle -> thinking`. */
export function lineOf({ seq, address, event, state_before, state_after }: ReplayFrame): string {
  const name = address.slice(address.lastIndexOf("/") + 1);
  return `${seq} ${name} ${event} ${state_before} -> ${state_after}`;
}

export function notTheSame(frames: readonly ReplayFrame[]): readonly ReplayFrame[] {
  return frames.filter(({ replayed }) => replayed !== "same");
}
