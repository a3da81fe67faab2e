import type { CommittedReader } from "../../../ports/store.ts";
import type { ChangeMemoryInput } from "../../../schema/activities.ts";
import type { MemoryWorkshop } from "../memory-parts.ts";
import type { Progress } from "./progress.ts";

/** One change of memory that is being made: what it has seen, and how a file of it is replaced. */
export type UnderWay = {
  readonly workshop: MemoryWorkshop;
  readonly read: CommittedReader;
  readonly input: ChangeMemoryInput;
  readonly name: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};
