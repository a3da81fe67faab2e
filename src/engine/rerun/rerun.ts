import { toErrorData } from "../../schema/errors.ts";
import type { Address, EventMeta, Outcome } from "../../schema/events/event.ts";
import type { JsonObject } from "../../schema/json.ts";
import { type ActorState, statePath } from "../kernel/actor-state.ts";
import { ForeseenMail } from "./foreseen-mail.ts";
import { firstStep, nextStep, type Step } from "../kernel/kernel.ts";
import type { MachineRegistry, RegisteredMachine } from "../machine-registry.ts";
import {
  type Difference,
  differenceIn,
  same,
  unknown,
  type Verdict,
  verdictOf,
} from "./rerun-verdict.ts";
import { sourceOfStep } from "./recorded-source.ts";
import type { JournalRow } from "../tables.ts";

/** Recorded events, run again by the charts of today. Nothing is read, written or carried out: effects are dropped as data. */

/** The version of the chart that recorded an actor's steps; undefined where nothing tells. */
export type RecordedVersion = string | undefined;

type Life =
  | { readonly kind: "living"; readonly state: ActorState; readonly version: RecordedVersion }
  /** What its events come to from now on: refused by what has ended, dead letters for what was set aside. */
  | { readonly kind: "over"; readonly outcome: Outcome }
  | { readonly kind: "lost"; readonly why: string };

/** The lives of a run's actors, fed with the journal's rows in their order. */
export class Rerun {
  private readonly machines: MachineRegistry;
  private readonly lives = new Map<Address, Life>();
  private readonly foreseen: ForeseenMail;
  /** Of the actor of the last row, though that may have been its end. */
  private latest: { readonly address: Address; readonly state: ActorState } | undefined;

  /** @param root the run's address: what is sent to others is not followed */
  constructor(machines: MachineRegistry, root: Address) {
    this.machines = machines;
    this.foreseen = new ForeseenMail(root);
  }

  /** @param version needed with an actor's birth only */
  take(row: JournalRow, version?: RecordedVersion): Verdict {
    this.latest = undefined;
    const unforeseen = this.foreseen.take(row);
    const verdict = this.follow(row, version);
    if (unforeseen === undefined || verdict.replayed !== "same") return verdict;
    return { replayed: "different", difference: unforeseen };
  }

  /** As it is after the last row; undefined where it has ended, or cannot be known. */
  stateOf(address: Address): ActorState | undefined {
    const life = this.lives.get(address);
    return life?.kind === "living" ? life.state : undefined;
  }

  /** The same, but that the actor of the last row is known though it ended with it. */
  stateAfterStep(address: Address): ActorState | undefined {
    return this.latest?.address === address ? this.latest.state : this.stateOf(address);
  }

  private follow(row: JournalRow, version: RecordedVersion): Verdict {
    if (row.event_type === "actor.created") return this.begin(row, version);
    const life = this.lives.get(row.address);
    switch (life?.kind) {
      case undefined:
        return row.outcome === "dead"
          ? same
          : this.lose(row, "its beginning is not in the journal any more");
      case "lost":
        return unknown(life.why);
      case "over":
        return verdictOf(differenceIn("outcome", life.outcome, row.outcome));
      case "living":
        return this.goOn(row, life.version, () =>
          nextStep(life.state, { ...row.event, $: metaOf(row) }, sourceOfStep(row, life.state)),
        );
    }
  }

  private begin(row: JournalRow, version: RecordedVersion): Verdict {
    if (row.outcome === "dead") return unknown(`it was not born: ${row.reason}`);
    const entry = this.machines.get(row.machine);
    if (entry === undefined) return this.lose(row, `no chart is called ${row.machine} today`);
    if (version !== undefined && version !== entry.version) {
      const { name, version: today } = entry;
      return this.lose(row, `recorded by version ${version} of ${name}, and today's is ${today}`);
    }
    return this.goOn(row, version, () => born(entry, row));
  }

  private goOn(row: JournalRow, version: RecordedVersion, run: () => Step): Verdict {
    const step = attempt(run);
    if (row.outcome === "dead") {
      this.lives.set(row.address, { kind: "over", outcome: "dead" });
      return "fault" in step ? same : unknown(`it was set aside: ${row.reason}`);
    }
    const difference = "fault" in step ? failure(step.fault, row) : differenceOf(row, step);
    if (difference !== undefined || "fault" in step) return this.stray(row, version, difference);
    this.lives.set(row.address, lifeAfter(step, version));
    this.latest = { address: row.address, state: step.state };
    this.foreseen.add(row, step.effects);
    return same;
  }

  /** Where nobody knows which chart recorded it, a difference says nothing of this one. */
  private stray(row: JournalRow, version: RecordedVersion, difference?: Difference): Verdict {
    this.lives.set(row.address, { kind: "lost", why: `it went another way at ${row.seq}` });
    if (version !== undefined) return verdictOf(difference);
    const { name = row.machine, version: today } = this.machines.get(row.machine) ?? {};
    return unknown(
      `version ${today} of ${name} does something else; which one recorded it is not known any more`,
    );
  }

  private lose(row: JournalRow, why: string): Verdict {
    this.lives.set(row.address, { kind: "lost", why });
    return unknown(why);
  }
}

function born({ machine }: RegisteredMachine, row: JournalRow): Step {
  return firstStep(machine, row.event["input"] as JsonObject, metaOf(row));
}

function attempt(run: () => Step): Step | { readonly fault: string } {
  try {
    return run();
  } catch (thrown) {
    const { code, message } = toErrorData(thrown);
    return { fault: `${code}: ${message}` };
  }
}

function lifeAfter({ state }: Step, version: RecordedVersion): Life {
  return state.snapshot.status === "done"
    ? { kind: "over", outcome: "rejected" }
    : { kind: "living", state, version };
}

function metaOf({ at, seq, trace, cause, origin, address }: JournalRow): EventMeta {
  return { at, seq, trace, cause, origin, self: address };
}

function failure(fault: string, { outcome }: JournalRow): Difference {
  return { what: "outcome", expected: `a failed step (${fault})`, found: outcome };
}

function differenceOf(row: JournalRow, step: Step): Difference | undefined {
  const refusal = step.effects.find((effect) => effect.kind === "refuse");
  const reason =
    refusal === undefined ? (step.reason ?? null) : `${refusal.code}: ${refusal.message}`;
  const outcome = step.accepted && refusal === undefined ? "handled" : "rejected";
  return (
    differenceIn("outcome", outcome, row.outcome) ??
    differenceIn("reason", reason, row.reason) ??
    differenceIn("state", statePath(step.state.snapshot.value), row.state_after)
  );
}
