import type { ActivityContext, ActivityKind } from "../../src/engine/activities/activity-kind.ts";
import type { Json } from "../../src/schema/json.ts";

/** Work whose end the test decides. */
export type Job = ActivityContext<{ readonly job: string }> & {
  finish(output?: unknown): void;
  fail(error: unknown): void;
};

export type Workshop = {
  /** What was begun and has not ended, oldest first. */
  readonly open: readonly Job[];
  /** Everything that was ever begun. */
  readonly begun: readonly Job[];
  kind(changes: Omit<ActivityKind<{ readonly job: string }>, "run">): ActivityKind;
  /** The process is dead: what ran in it ends nowhere. */
  die(): void;
};

export function createWorkshop(): Workshop {
  const open: Job[] = [];
  const begun: Job[] = [];
  const run = (context: ActivityContext<{ readonly job: string }>) =>
    new Promise<Json>((resolve, reject) => {
      const leave = (end: () => void) => {
        const at = open.indexOf(job);
        if (at !== -1) open.splice(at, 1);
        end();
      };
      const job: Job = {
        ...context,
        finish: (output = "done") => leave(() => resolve(output as Json)),
        fail: (error) => leave(() => reject(error)),
      };
      open.push(job);
      begun.push(job);
    });
  return {
    open,
    begun,
    kind: (changes) => ({ ...changes, run }),
    die: () => void open.splice(0),
  };
}
