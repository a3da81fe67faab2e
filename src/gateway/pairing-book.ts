import type { RowReader } from "../ports/store.ts";
import { type Pairing, pairingTable } from "../schema/rows/channel-rows.ts";
import { isOpenPairing, mostOpenPairings } from "./pairing.ts";

/** Who was let in by the owner, and who has asked: the rows, with what a batch adds. */
export class PairingBook {
  private readonly added = new Map<string, Pairing>();
  private readonly read: RowReader;
  private readonly connector_id: string;
  private readonly at: number;

  constructor(read: RowReader, connector_id: string, at: number) {
    this.read = read;
    this.connector_id = connector_id;
    this.at = at;
  }

  isPaired(user: string): boolean {
    return this.of(user)?.state === "approved";
  }

  /** Not who waits for an answer, nor who was turned out, nor anybody while too many wait. */
  mayAsk(user: string): boolean {
    const earlier = this.of(user);
    if (earlier !== undefined && (earlier.state !== "open" || isOpenPairing(earlier, this.at)))
      return false;
    return this.openOnes() < mostOpenPairings;
  }

  add(pairing: Pairing): void {
    this.added.set(pairing.user_scope, pairing);
  }

  rows(): Pairing[] {
    return [...this.added.values()];
  }

  private of(user: string): Pairing | undefined {
    return this.added.get(user) ?? this.read.get(pairingTable, this.connector_id, user);
  }

  /** Those that have ended keep their state until they are deleted: only the newest can be open. */
  private openOnes(): number {
    const stored = this.read.select(pairingTable, {
      index: "by_state",
      equals: [this.connector_id, "open"],
      descending: true,
      limit: mostOpenPairings,
    });
    const others = stored.filter(
      (one) => isOpenPairing(one, this.at) && !this.added.has(one.user_scope),
    );
    return others.length + this.added.size;
  }
}
