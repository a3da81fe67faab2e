import type { ActorStateRow } from "../../schema/shown/actor-view.ts";
import type { LivingActors } from "./living-actors.ts";

/** The actors that live in runs, found by the run's address without a look at all others each time. */
export class LivingRuns {
  private readonly actors: LivingActors;
  private ofVersion = -1;
  private below = new Map<string, ActorStateRow[]>();

  constructor(actors: LivingActors) {
    this.actors = actors;
  }

  /** Calls and approvals of a run, in the order in which they came. */
  of(run: string): readonly ActorStateRow[] {
    if (this.ofVersion !== this.actors.version) this.sort();
    return this.below.get(run) ?? [];
  }

  /** Another one when something in the run has changed. */
  signOf(run: string): string {
    const states = this.of(run).map(({ address, state }) => `${address}=${state}`);
    return [this.actors.get(run)?.state, ...states].join(" ");
  }

  private sort(): void {
    this.ofVersion = this.actors.version;
    this.below = new Map();
    for (const actor of this.actors.all()) {
      const run = runOf(actor.address);
      if (run === undefined || run === actor.address) continue;
      const others = this.below.get(run);
      if (others === undefined) this.below.set(run, [actor]);
      else others.push(actor);
    }
  }
}

/** `session/k/run/r7` of everything below it. */
function runOf(address: string): string | undefined {
  const [, run] = /^(session\/[^/]+\/run\/[^/]+)/.exec(address) ?? [];
  return run;
}
