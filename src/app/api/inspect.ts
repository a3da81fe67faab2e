import type { Engine } from "../../engine/engine.ts";
import { type ActorRow, journalTable } from "../../engine/tables.ts";
import type { Clock } from "../../ports/clock.ts";
import { parentsFirst, showInspected, showInspectedStep } from "../records/inspected.ts";
import type { InspectedActor, InspectedNews, InspectedStep } from "../../schema/shown/inspected.ts";
import type { NewsBus, Stepped } from "../news/news.ts";
import { type StepWatch, watchSteps } from "../news/step-watch.ts";
import type { Caller, Handlers } from "./caller.ts";
import { onlyNewest } from "./only-newest.ts";

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
  const only = onlyNewest();
  return {
    "actors.inspect": async ({ address }, caller) => {
      const inspection = new Inspection(options, address);
      const watch = inspection.follow(caller);
      only(caller, watch.stop);
      const actors = await inspection.living();
      watch.begin(0);
      return { actors };
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

  follow(caller: Caller): StepWatch {
    return watchSteps(this.options, {
      name: "inspect",
      wants: (address) => this.has(address),
      keep: (stepped) => ({ seq: stepped.step.seq, stepped }),
      tell: async ({ news, dropped }) => {
        const steps = news.map(({ stepped }) => stepped);
        caller.notify("actors.inspected", await this.newsOf(steps, dropped));
        await caller.drained();
      },
    });
  }

  /** And those that were set aside. */
  async living(): Promise<readonly InspectedActor[]> {
    const { address: prefix, options } = this;
    const lists = await Promise.all(
      (["active", "quarantined"] as const).map((status) =>
        options.engine.actors({ status, prefix, limit: mostActors }),
      ),
    );
    return this.shown(lists.flat().filter(({ address }) => this.has(address)));
  }

  private has(address: string): boolean {
    return (
      this.address === "" || address === this.address || address.startsWith(`${this.address}/`)
    );
  }

  private shown(rows: readonly ActorRow[]): readonly InspectedActor[] {
    return parentsFirst(rows).map((row) => showInspected(row, this.options.redact));
  }

  private async newsOf(steps: readonly Stepped[], dropped: number): Promise<InspectedNews> {
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
