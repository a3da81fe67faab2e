import type { DecisionScope } from "../../schema/rows/permission-rows.ts";
import type { ParamsOf, Results, ShownApproval } from "../../schema/socket/protocol.ts";
import { type Together, decidedText } from "../../client/chat/together.ts";
import { decisionText } from "../../text/decision-text.ts";
import type { App } from "../app/app.ts";
import { own, safe } from "../frame/safe-text.ts";

export type Word = Pick<
  ParamsOf<"approvals.decide">,
  "decision" | "until" | "grants" | "reason"
> & {
  readonly scope?: DecisionScope;
};

const mostShown = 200;

/** Gives a person's word to the service, bound to what was on the screen, and tells what holds then. */
export class Deciding {
  private readonly app: App;
  /** While it is given, no other one is taken. */
  private under = 0;

  constructor(app: App) {
    this.app = app;
  }

  get isUnderWay(): boolean {
    return this.under > 0;
  }

  async decide({ id, binding }: ShownApproval, word: Word): Promise<void> {
    const given = await this.give("approvals.decide", { id, binding, ...word });
    if (given === undefined) return this.lookAgain();
    this.drop([id]);
    const mood = given.state === "approved" ? "good" : undefined;
    this.app.say(own`${safe(decisionText(given, word.scope ?? "once"))}`, mood);
  }

  async answer({ id, binding }: ShownApproval, value: string): Promise<void> {
    const given = await this.give("approvals.answer", { id, binding, value });
    if (given === undefined) return this.lookAgain();
    this.drop([id]);
    this.app.say(own`${safe(id)} is ${safe(given.state)}: ${safe(value)}`, "good");
  }

  async decideTogether(
    { step_id: step, binding }: Together,
    word: Pick<Word, "decision" | "reason">,
  ): Promise<void> {
    const given = await this.give("approvals.decide_step", { step, binding, ...word });
    if (given === undefined) return this.lookAgain();
    this.drop(given.decided.map(({ id }) => id));
    const told = decidedText(given).join("; ");
    this.app.say(own`${safe(told)}`, given.failed.length > 0 ? "bad" : "good");
    if (given.failed.length > 0) await this.lookAgain();
  }

  private async give<M extends "approvals.decide" | "approvals.answer" | "approvals.decide_step">(
    method: M,
    params: ParamsOf<M>,
  ): Promise<Results[M] | undefined> {
    this.under += 1;
    this.app.changed();
    try {
      return await this.app.ask(method, params);
    } finally {
      this.under -= 1;
    }
  }

  /** What waits is another than what was shown: somebody else was first, or it asks something else by now. */
  private async lookAgain(): Promise<void> {
    const { model, service } = this.app;
    const found = await service.call("approvals.list", { limit: mostShown }).catch(() => undefined);
    if (found !== undefined) model.approvals = found;
    this.app.changed();
  }

  private drop(ids: readonly string[]): void {
    const { model } = this.app;
    model.approvals = model.approvals.filter(({ id }) => !ids.includes(id));
    this.app.changed();
  }
}
