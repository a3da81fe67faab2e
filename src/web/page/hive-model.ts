import type { InspectedActor, InspectedNews, InspectedStep } from "../../schema/shown/inspected.ts";
import type { ChartDefinition, StreamMessage } from "../stream-message.ts";

/** What the page knows: the actors, what has happened, and whether the service is there. */

export type SeenActor = InspectedActor & {
  /** When it was seen to have ended; null while it lives. */
  readonly endedAt: number | null;
  readonly lastStep: InspectedStep | null;
};

export type Happening =
  | { readonly kind: "step"; readonly key: string; readonly step: InspectedStep }
  | { readonly kind: "note"; readonly key: string; readonly text: string };

/** `r10` comes after `r9`. */
const { compare } = new Intl.Collator("en", { numeric: true });
const byAddress = (a: SeenActor, b: SeenActor) => compare(a.address, b.address);

const endedForMs = 10_000;
const remembered = 500;

export class HiveModel {
  readonly actors = new Map<string, SeenActor>();
  /** Those that have ended, and stand in the tree no more; what is remembered of them can still be looked at. */
  private readonly past = new Map<string, SeenActor>();
  /** Oldest first. */
  happenings: readonly Happening[] = [];
  /** Steps in an unbroken line up to the present snapshots. */
  steps: readonly InspectedStep[] = [];
  charts: readonly ChartDefinition[] = [];
  hosted: string | null = null;
  address = "";
  isAttached = false;
  private notes = 0;

  /** @param now milliseconds that only go forward */
  hear(message: StreamMessage, now: number): void {
    switch (message.type) {
      case "hello":
        this.charts = message.charts;
        this.hosted = message.hosted;
        this.address = message.address;
        return;
      case "attached":
        if (this.happenings.length > 0) this.note("attached again");
        this.isAttached = true;
        this.replace(message.actors, now);
        return;
      case "news":
        this.take(message, now);
        return;
      case "detached":
        if (this.isAttached) this.note(`detached: ${message.reason}`);
        this.isAttached = false;
        return;
    }
  }

  /** Takes those out of the tree that ended some time ago. @returns whether there were any */
  clearEnded(now: number): boolean {
    const before = this.actors.size;
    for (const [address, actor] of this.actors) {
      if (actor.endedAt === null || now - actor.endedAt <= endedForMs) continue;
      this.actors.delete(address);
      this.past.set(address, actor);
    }
    const tooMany = Math.max(0, this.past.size - remembered);
    for (const address of [...this.past.keys()].slice(0, tooMany)) this.past.delete(address);
    return this.actors.size < before;
  }

  known(address: string): SeenActor | undefined {
    return this.actors.get(address) ?? this.past.get(address);
  }

  chartOf({ machine, version }: InspectedActor): ChartDefinition | undefined {
    return this.charts.find((chart) => chart.name === machine && chart.version === version);
  }

  /** As a tree: each actor behind the one above it, with how deep it is; those above come from 1. */
  tree(): readonly { readonly actor: SeenActor; readonly level: number }[] {
    const below = new Map<string | null, SeenActor[]>();
    const ordered = [...this.actors.values()].toSorted(byAddress);
    for (const actor of ordered) {
      const { parent } = actor;
      const above = parent !== null && this.actors.has(parent) ? parent : null;
      below.set(above, [...(below.get(above) ?? []), actor]);
    }
    const placed = (above: string | null, level: number): { actor: SeenActor; level: number }[] =>
      (below.get(above) ?? []).flatMap((actor) => [
        { actor, level },
        ...placed(actor.address, level + 1),
      ]);
    return placed(null, 1);
  }

  private take({ actors, steps, dropped }: InspectedNews, now: number): void {
    if (dropped > 0) {
      this.note(`${dropped} steps are missing: this page read too slowly`);
      this.replace(actors, now);
    } else for (const actor of actors) this.place(actor);
    for (const step of steps) this.step(step, now);
    this.steps = [...this.steps, ...steps].slice(-remembered);
    const told = steps.map((step) => ({ kind: "step", key: `s${step.seq}`, step }) as const);
    this.happenings = [...this.happenings, ...told].slice(-remembered);
  }

  /** These live now; all others have ended. */
  private replace(living: readonly InspectedActor[], now: number): void {
    const addresses = new Set(living.map(({ address }) => address));
    for (const actor of this.actors.values()) {
      if (addresses.has(actor.address) || actor.endedAt !== null) continue;
      this.actors.set(actor.address, { ...actor, endedAt: now });
    }
    this.steps = [];
    for (const actor of living) this.place(actor);
  }

  private place(actor: InspectedActor): void {
    const lastStep = this.actors.get(actor.address)?.lastStep ?? null;
    this.actors.set(actor.address, { ...actor, endedAt: null, lastStep });
  }

  /** A step that the actor's snapshot has in it already changes nothing. */
  private step(step: InspectedStep, now: number): void {
    const actor = this.actors.get(step.address);
    const { snapshot, seq } = step;
    if (actor === undefined || snapshot === null || seq < actor.seq) return;
    const isThere = snapshot.status === "active" || snapshot.status === "quarantined";
    const endedAt = isThere ? null : (actor.endedAt ?? now);
    this.actors.set(step.address, { ...actor, seq, snapshot, endedAt, lastStep: step });
  }

  private note(text: string): void {
    this.notes += 1;
    const note = { kind: "note", key: `n${this.notes}`, text } as const;
    this.happenings = [...this.happenings, note].slice(-remembered);
  }
}
