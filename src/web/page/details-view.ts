import type { InspectedSnapshot, InspectedStep } from "../../schema/shown/inspected.ts";
import { make } from "./dom.ts";
import type { SeenActor } from "./hive-model.ts";

export type DetailsShown = {
  readonly actor: SeenActor;
  readonly snapshot: InspectedSnapshot;
  /** Chosen by a person; null: what is shown is the present. */
  readonly step: InspectedStep | null;
};

/** What one actor is and knows, now or after one step. */
export class DetailsView {
  private readonly box: HTMLElement;
  private told = "";

  constructor(box: HTMLElement) {
    this.box = box;
  }

  show(shown: DetailsShown | null): void {
    const told = JSON.stringify(shown);
    if (told === this.told) return;
    this.told = told;
    const { scrollTop } = this.box;
    this.box.replaceChildren(...(shown === null ? [] : this.parts(shown)));
    this.box.scrollTop = scrollTop;
  }

  private parts({ actor, snapshot, step }: DetailsShown): HTMLElement[] {
    const { error } = snapshot;
    const fault =
      error === undefined ? [] : [["error", `${error.code}: ${error.message}`] as const];
    const facts = this.facts([
      ["address", actor.address],
      ["machine", `${actor.machine}, version ${actor.version}`],
      ["state", stateText(snapshot.value)],
      ["status", snapshot.status],
      ["shown", step === null ? "as it is now" : `as it was after step ${step.seq}`],
      ...fault,
    ]);
    const event = step === null ? [] : this.json(`Event, from ${senderOf(step)}`, step.event);
    return [facts, ...event, ...this.json("Context", snapshot.context)];
  }

  private facts(facts: readonly (readonly [string, string])[]): HTMLElement {
    const { ownerDocument: document } = this.box;
    const list = make(document, "dl", { kind: "", text: "" });
    for (const [name, text] of facts) {
      list.append(
        make(document, "dt", { kind: "", text: name }),
        make(document, "dd", { kind: "", text }),
      );
    }
    return list;
  }

  private json(title: string, value: unknown): HTMLElement[] {
    const { ownerDocument: document } = this.box;
    return [
      make(document, "h3", { kind: "", text: title }),
      make(document, "pre", { kind: "", text: JSON.stringify(value, null, 2) }),
    ];
  }
}

function senderOf({ source, address }: InspectedStep): string {
  if (source === null) return "outside";
  return source === address ? "itself, an activity or a timer of its own" : source;
}

export function stateText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
