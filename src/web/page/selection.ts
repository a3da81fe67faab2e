import type { InspectedStep } from "../../schema/shown/inspected.ts";
import type { StreamMessage } from "../stream-message.ts";
import type { HiveModel } from "./hive-model.ts";

/** Which actor is shown, and whether as it is now or as it was after one step. */
export class Selection {
  address: string | null = null;
  step: InspectedStep | null = null;
  follows = true;

  /** @param message one that the model has heard */
  hear(message: StreamMessage, model: HiveModel): void {
    if (message.type === "attached") this.begin(model);
    if (message.type === "news" && this.follows) this.goAlong(message.steps);
    this.stay(model);
  }

  choose(address: string, step: InspectedStep | null): void {
    this.address = address;
    this.step = step;
    this.follows = false;
  }

  follow(follows: boolean): void {
    this.follows = follows;
    if (follows) this.step = null;
  }

  /** Whoever was shown may be gone; a step that was chosen can still be looked at. */
  stay(model: HiveModel): void {
    const wanted = this.address ?? "";
    if (model.actors.has(wanted) || (this.step !== null && model.known(wanted))) return;
    this.address = null;
    this.step = null;
    this.begin(model);
  }

  /** With whoever was asked for, else with what moved last. */
  private begin({ actors, address }: HiveModel): void {
    if (this.address !== null && actors.has(this.address)) return;
    const [first] = [...actors.values()].toSorted((a, b) => b.seq - a.seq);
    this.address = actors.has(address) ? address : (first?.address ?? null);
  }

  /** With whoever changed its state last. */
  private goAlong(steps: readonly InspectedStep[]): void {
    const last = steps.findLast(({ state_before, state_after }) => state_before !== state_after);
    if (last !== undefined) this.address = last.address;
  }
}
