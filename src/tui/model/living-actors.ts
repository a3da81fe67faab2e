import type { ActorStateRow } from "../../schema/shown/actor-view.ts";

/** How long an actor that ended stays in sight. */
const endedStayMs = 10_000;

/** The service's actors as far as they are known here. */
export class LivingActors {
  private readonly rows = new Map<string, ActorStateRow>();
  private readonly endedAt = new Map<string, number>();
  /** Rises with each change. */
  version = 0;
  /** Rises when actors come and go, not when their states change. */
  membership = 0;

  get size(): number {
    return this.rows.size;
  }

  all(): ActorStateRow[] {
    return [...this.rows.values()];
  }

  get(address: string): ActorStateRow | undefined {
    return this.rows.get(address);
  }

  /** Those of a kind that have not ended. */
  count(kind: string): number {
    let count = 0;
    for (const row of this.rows.values())
      if (row.kind === kind && row.status === "active") count += 1;
    return count;
  }

  /** These are all that live. */
  replace(rows: readonly ActorStateRow[]): void {
    this.rows.clear();
    this.endedAt.clear();
    for (const row of rows) this.rows.set(row.address, row);
    this.version += 1;
    this.membership += 1;
  }

  apply(rows: readonly ActorStateRow[], now: number): void {
    for (const row of rows) {
      if (!this.rows.has(row.address)) this.membership += 1;
      this.rows.set(row.address, row);
      if (row.status === "active") this.endedAt.delete(row.address);
      else this.endedAt.set(row.address, now);
    }
    if (rows.length > 0) this.version += 1;
  }

  /** Forgets those that ended some time ago; what was set aside stays, for somebody must look at it.
   *  @returns whether there were any */
  prune(now: number): boolean {
    let found = false;
    for (const [address, at] of this.endedAt) {
      if (now - at < endedStayMs || this.rows.get(address)?.status === "quarantined") continue;
      this.endedAt.delete(address);
      this.rows.delete(address);
      found = true;
    }
    if (found) {
      this.version += 1;
      this.membership += 1;
    }
    return found;
  }
}
