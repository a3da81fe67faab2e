import type { CommittedReader } from "../../../ports/store.ts";
import type { ChangeMemoryInput } from "../../../schema/activities.ts";
import type { MemoryWorkshop } from "../memory-parts.ts";
import type { Progress } from "./progress.ts";

/** One change of memory that is being made: what is asked for, with what it is made, and how far it has come. */
export type UnderWay = {
  readonly workshop: MemoryWorkshop;
  readonly read: CommittedReader;
  readonly input: ChangeMemoryInput;
  readonly name: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};
