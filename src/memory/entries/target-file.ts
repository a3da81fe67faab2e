import { type MemoryPartition, type MemoryTarget, sharedPartition } from "../../schema/memory.ts";
import type { Moment } from "../moment.ts";
import { directoryOf } from "../partitions.ts";

/** Where new entries go. */
export type TargetFile = {
  readonly path: string;
  readonly heading: string;
  /** What their comments say of the time. */
  readonly at: string;
};

const conceptName = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Undefined: it names a concept by what cannot be a file's name; such are `release-process`, `team`. */
export function targetFile(
  partition: MemoryPartition,
  target: MemoryTarget,
  { day, time }: Moment,
): TargetFile | undefined {
  const directory = directoryOf(partition);
  switch (target.to) {
    case "daily":
      return { path: `${directory}${day}.md`, heading: day, at: time };
    case "long_term":
      return { path: `${directory}MEMORY.md`, heading: "Memory", at: `${day} ${time}` };
    case "shared": {
      const { concept } = target;
      if (!conceptName.test(concept)) return undefined;
      const path = `${directoryOf(sharedPartition)}${concept}.md`;
      return { path, heading: concept, at: `${day} ${time}` };
    }
  }
}
