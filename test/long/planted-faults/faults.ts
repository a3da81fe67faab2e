/** Lines of the engine, each with what it would be with a fault, and the case of the contract that must catch it. */

export type Fault = {
  readonly file: string;
  readonly line: string;
  readonly instead: string;
  readonly caughtBy: string;
};

export const faults: { readonly [what: string]: Fault } = {
  "effects run before the commit": {
    file: "transaction.ts",
    line: "this.committed.push(call);",
    instead: "call();",
    caughtBy: "is told after the commit, and never when the step is undone",
  },
  "an attempt is started before it is committed": {
    file: "activities/activities.ts",
    line: "if (this.starting.delete(row.key) && !this.isTooLateFor(kind))\n        this.parts.running.launch(started, kind);\n    });",
    instead: "});\n    this.parts.running.launch(started, kind);",
    caughtBy: "starts after the commit of its attempt",
  },
  "the started mark is not written": {
    file: "activities/activities.ts",
    line: "tx.store.put(activityTable, started);",
    instead: "tx.store.put(activityTable, row);",
    caughtBy: "never repeats what may be done once: its outcome is unknown",
  },
  "a result counts because it was settled, not because somebody waits for it": {
    file: "kernel/kernel.ts",
    line: "source !== undefined && !isPresent(state, source)",
    instead: "source === null",
    caughtBy:
      "is dropped at consumption: what waited behind an event that left the state comes too late",
  },
  "a timer counts because it fired": {
    file: "kernel/kernel.ts",
    line: "source !== undefined && !isPresent(state, source)",
    instead: 'source?.kind === "activity" && !isPresent(state, source)',
    caughtBy: "is stale when the mail before it left its state",
  },
  "the cache keeps what was rolled back": {
    file: "pump.ts",
    line: "tx.seal();",
    instead: "tx.seal();\n      tx.publishToCache();",
    caughtBy: "stops intake, is said, heals, and loses nothing",
  },
  "the counter is not persisted": {
    file: "transaction.ts",
    line: 'this.store.put(counterTable, { name: "seq", value: this.lastSeq });',
    instead: "return;",
    caughtBy: "gets a number that nothing had before, in a cascade and after a crash",
  },
  "the check at the start is left out": {
    file: "activities/activities.ts",
    line: "return kind.admit?.(tx.store, row.input as never, starting);",
    instead: "return undefined;",
    caughtBy: "is made in the transaction of the started mark, and its refusal is the result",
  },
  "an answer is not kept with its step": {
    file: "mail/outside.ts",
    line: "tx.store.put(idempotencyTable, { key, seq, outcome, state, reason, at: tx.now });",
    instead: "return;",
    caughtBy:
      "is answered again, not done again, under the same idempotency key, also after a crash",
  },
  "what follows from an event goes before what waits": {
    file: "cascade.ts",
    line: "for (const delivery of then) this.waiting.push(delivery);",
    instead: "this.waiting.splice(this.taken, 0, ...then);",
    caughtBy: "keeps what one actor sends to another in order across a cut",
  },
  "a cascade is never cut": {
    file: "cascade.ts",
    line: "if (isFull && line.mayBeCut(job.together)) break;",
    instead: "",
    caughtBy: "cuts a cascade after 64 steps, keeps the rest as rows, and goes on with it first",
  },
  "recovered mail is not counted before it is looked at": {
    file: "recovery.ts",
    line: "tx.store.patch(mailTable, [id], { attempts: attempts + 1 });",
    instead: "",
    caughtBy: "is parked after three deaths, and the rest goes on",
  },
  "a failed cascade is not done again without its poison": {
    file: "pump.ts",
    line: "work.poisons?.has(error.at) !== true",
    instead: "work.poisons === null",
    caughtBy: "in the middle of a cascade undoes nothing of what others did",
  },
  "secrets are left in what is stored": {
    file: "activities/running-activities.ts",
    line: "return { ok: true, output: this.parts.redact(value as Json) };",
    instead: "return { ok: true, output: value as Json };",
    caughtBy: "has known secrets removed from what it returns and throws before anything is stored",
  },
  "the wait of a retry is not in the row": {
    file: "activities/activities.ts",
    line: "not_before: at } as const",
    instead: "not_before: 0 } as const",
    caughtBy: "waits as long as the other side asks, across restarts",
  },
  "the clock is trusted to wake up once": {
    file: "alarm.ts",
    line: "now + this.sweepMs",
    instead: "Number.MAX_SAFE_INTEGER",
    caughtBy: "is looked for at least every 30 seconds, so that a clock that jumps does no harm",
  },
};
