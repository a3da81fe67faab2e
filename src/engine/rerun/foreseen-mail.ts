import type { Address, EventData } from "../../schema/events/event.ts";
import { resolveAddress } from "../mail/mail.ts";
import type { StepEffect } from "../kernel/kernel-effects.ts";
import type { Difference } from "./rerun-verdict.ts";
import type { JournalRow } from "../tables.ts";

/** What steps of a rerun have sent to actors of the same run: the journal must have it as it was sent. This finds what the names
 *  of states would not tell: that an actor knew something else. */

const mostSteps = 1_000;

type Sent = { readonly address: Address; readonly event: EventData };

export class ForeseenMail {
  private readonly root: Address;
  private readonly parents = new Map<Address, Address>();
  /** By the step that sent it; what was taken is gone. */
  private readonly sent = new Map<number, Sent[]>();

  constructor(root: Address) {
    this.root = root;
  }

  add(row: JournalRow, effects: readonly StepEffect[]): void {
    const sent = effects.flatMap((effect) => this.mailOf(row.address, effect));
    if (sent.length === 0) return;
    this.sent.set(row.seq, sent);
    const [oldest] = this.sent.keys();
    if (this.sent.size > mostSteps && oldest !== undefined) this.sent.delete(oldest);
  }

  /** @returns how it differs from what was sent; answers of lookups are nobody's mail, and differ from nothing */
  take({ cause, address, event }: JournalRow): Difference | undefined {
    const sent = cause === null ? undefined : this.sent.get(cause);
    const at = sent?.findIndex(
      (mail) => mail.address === address && mail.event.type === event.type,
    );
    if (sent === undefined || cause === null || at === undefined || at < 0) return undefined;
    const [mail] = sent.splice(at, 1);
    if (sent.length === 0) this.sent.delete(cause);
    const [expected, found] = [JSON.stringify(mail?.event), JSON.stringify(event)];
    return expected === found ? undefined : { what: `what step ${cause} sent`, expected, found };
  }

  private mailOf(from: Address, effect: StepEffect): Sent[] {
    if (effect.kind === "spawn") {
      const address = `${from}/${effect.id}`;
      this.parents.set(address, from);
      return [{ address, event: { type: "actor.created", input: effect.input } }];
    }
    if (effect.kind !== "send") return [];
    const address = resolveAddress(from, this.parents.get(from) ?? null, effect.to);
    const isOurs = address === this.root || address?.startsWith(`${this.root}/`) === true;
    return address === undefined || !isOurs ? [] : [{ address, event: effect.event }];
  }
}
