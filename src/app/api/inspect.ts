import type { Engine } from "../../engine/engine.ts";
import { type ActorRow, journalTable } from "../../engine/tables.ts";
import type { Clock } from "../../ports/clock.ts";
import { parentsFirst, showInspected, showInspectedStep } from "../records/inspected.ts";
import type { InspectedActor, InspectedNews, InspectedStep } from "../../schema/inspected.ts";
import type { NewsBus, Stepped } from "../news/news.ts";
import { type Batch, followSteps } from "../news/paced-steps.ts";
import type { Caller, Handlers } from "./caller.ts";
import { oneAtATime } from "./one-at-a-time.ts";

export type InspectOptions = {
  readonly engine: Engine;
  readonly bus: NewsBus;
  readonly clock: Clock;
  readonly redact: <T>(value: T) => T;
};

/** Whole snapshots for an inspector. They are made for nobody but those who watch at that moment. */
export function inspectHandlers(
  options: InspectOptions,
): Handlers<"actors.inspect" | "actors.inspect.stop"> {
  const only = oneAtATime();
  return {
    "actors.inspect": async ({ address }, caller) => {
      const inspection = new Inspection(options, address);
      only(caller, inspection.follow(caller));
      return { actors: await inspection.living() };
    },
    "actors.inspect.stop": async (_nothing, caller) => {
      only(caller, () => undefined);
      return {};
    },
  };
}

const mostActors = 10_000;

/** What one client watches: an actor and all below it; or all actors. */
class Inspection {
  private readonly options: InspectOptions;
  private readonly address: string;

  constructor(options: InspectOptions, address: string) {
    this.options = options;
    this.address = address;
  }

  follow(caller: Caller): () => void {
    const { bus, clock } = this.options;
    return followSteps(bus, clock, {
      name: "inspect",
      wants: (address) => this.has(address),
      tell: async (batch) => {
        caller.notify("actors.inspected", await this.newsOf(batch));
        await caller.drained();
      },
    });
  }

  async living(): Promise<readonly InspectedActor[]> {
    const { address: prefix, options } = this;
    const rows = await options.engine.actors({ status: "active", prefix, limit: mostActors });
    return this.shown(rows.filter(({ address }) => this.has(address)));
  }

  private has(address: string): boolean {
    return (
      this.address === "" || address === this.address || address.startsWith(`${this.address}/`)
    );
  }

  private shown(rows: readonly ActorRow[]): readonly InspectedActor[] {
    return parentsFirst(rows).map((row) => showInspected(row, this.options.redact));
  }

  private async newsOf({ steps, dropped }: Batch): Promise<InspectedNews> {
    const born = steps.flatMap(({ actor, step }) =>
      actor !== undefined && step.state_before === null ? [actor] : [],
    );
    const actors = dropped > 0 ? await this.living() : this.shown(born);
    return { actors, steps: await this.told(steps), dropped };
  }

  private async told(steps: readonly Stepped[]): Promise<readonly InspectedStep[]> {
    const addresses = new Map(steps.map(({ step }) => [step.seq, step.address]));
    const { redact, engine } = this.options;
    const senderOf = async ({ origin, cause, address }: Stepped["step"]) => {
      if (origin === "timer") return address;
      if (origin !== "actor" || cause === null) return null;
      const known = addresses.get(cause);
      if (known !== undefined) return known;
      const row = await engine.read.get(journalTable, cause);
      if (row !== undefined) addresses.set(cause, row.address);
      return row?.address ?? null;
    };
    const told: InspectedStep[] = [];
    for (const stepped of steps) {
      told.push(showInspectedStep(stepped, await senderOf(stepped.step), redact));
    }
    return told;
  }
}
