import type { Clock } from "../../ports/clock.ts";
import { toErrorData } from "../../schema/errors.ts";
import type { Address } from "../../schema/events/event.ts";
import type { Json, JsonObject } from "../../schema/json.ts";
import type { ActivityKind, Settlement } from "./activity-kind.ts";
import type { Notice } from "../engine.ts";
import { assertJson } from "../kernel/json-check.ts";
import type { ActivityRow } from "../tables.ts";

export type RunningParts = {
  readonly redact: <T extends Json>(value: T) => T;
  readonly notify: (notice: Notice) => void;
  /** Called once for each launch, after its last notice; not for what `abortAll` ended. */
  readonly ended: (row: ActivityRow, settlement: Settlement, noticed: number) => void;
};

type Run = {
  readonly row: ActivityRow;
  readonly waits: boolean;
  readonly abort: AbortController;
  noticed: number;
};

/** The activities that run now: memory only. What they are stands in rows. */
export class RunningActivities {
  private readonly parts: RunningParts;
  private readonly runs = new Map<string, Run>();
  private whenNone: (() => void)[] = [];

  constructor(parts: RunningParts) {
    this.parts = parts;
  }

  /** What only waits is no work. */
  private get working(): Run[] {
    return [...this.runs.values()].filter(({ waits }) => !waits);
  }

  get size(): number {
    return this.working.length;
  }

  get addresses(): Address[] {
    return this.working.map(({ row }) => row.address);
  }

  launch(row: ActivityRow, kind: ActivityKind): void {
    const waits = kind.waits === true;
    const run: Run = { row, waits, abort: new AbortController(), noticed: 0 };
    this.runs.set(row.key, run);
    const tell = this.teller(run);
    if (row.attempt > 1) tell({ type: "text.reset" });
    const { key, attempt, address, trace } = row;
    const { signal } = run.abort;
    const context = { key, attempt, address, trace, signal, notify: tell };
    const work = async () => kind.run({ ...context, input: row.input as never });
    void work()
      .then((output) => this.success(output))
      .catch((thrown: unknown) => this.failure(thrown))
      .then((settlement) => this.end(run, settlement));
  }

  /** Notices of an attempt that is over are nobody's. */
  private teller(run: Run): (notice: JsonObject) => void {
    const { address, trace, key, attempt } = run.row;
    return (notice) => {
      if (this.runs.get(key) !== run) return;
      const offset = run.noticed;
      run.noticed += 1;
      this.parts.notify({ address, trace, activity: key, attempt, offset, notice });
    };
  }

  private success(output: unknown): Settlement {
    const value = output ?? null;
    assertJson(value, "the output");
    return { ok: true, output: this.parts.redact(value as Json) };
  }

  private failure(thrown: unknown): Settlement {
    const error = toErrorData(thrown, "activity.failed");
    return { ok: false, error: this.parts.redact(error) };
  }

  private end(run: Run, settlement: Settlement): void {
    if (this.runs.get(run.row.key) !== run) return;
    this.runs.delete(run.row.key);
    this.parts.ended(run.row, settlement, run.noticed);
    if (this.size === 0) this.tellNone();
  }

  abort(key: string): void {
    this.runs.get(key)?.abort.abort();
  }

  /** Resolves when nothing runs, or after `ms`. */
  whenEmptyOr(clock: Clock, ms: number): Promise<void> {
    if (ms <= 0 || this.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      this.whenNone.push(() => {
        cancel();
        resolve();
      });
    });
  }

  /** @returns the keys of what was cut off */
  abortAll(): string[] {
    const keys = this.cutOff([...this.runs.values()]);
    this.tellNone();
    return keys;
  }

  /** @returns the keys of what only waited */
  abortWaiting(): string[] {
    return this.cutOff([...this.runs.values()].filter(({ waits }) => waits));
  }

  private cutOff(runs: readonly Run[]): string[] {
    for (const { row } of runs) this.runs.delete(row.key);
    for (const { abort } of runs) abort.abort();
    return runs.map(({ row }) => row.key);
  }

  private tellNone(): void {
    for (const resolve of this.whenNone.splice(0)) resolve();
  }
}
