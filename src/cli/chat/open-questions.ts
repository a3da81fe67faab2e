import type { ShownApproval } from "../../schema/socket/protocol.ts";

/** What a chat is asked, in its order, and what its person set aside or decided here. */
export class OpenQuestions {
  private readonly questions: ShownApproval[] = [];
  /** Left open on purpose: the person may talk on meanwhile. */
  private readonly postponed = new Set<string>();
  private readonly decidedHere = new Set<string>();

  get first(): ShownApproval | undefined {
    return this.questions[0];
  }

  get all(): readonly ShownApproval[] {
    return [...this.questions];
  }

  get hasPostponed(): boolean {
    return this.postponed.size > 0;
  }

  isPostponed(id: string): boolean {
    return this.postponed.has(id);
  }

  put(approval: ShownApproval): void {
    this.postponed.delete(approval.id);
    if (!this.questions.some(({ id }) => id === approval.id)) this.questions.push(approval);
  }

  drop(id: string): void {
    this.postponed.delete(id);
    const index = this.questions.findIndex((question) => question.id === id);
    if (index >= 0) this.questions.splice(index, 1);
  }

  postponeFirst(): ShownApproval | undefined {
    const question = this.questions.shift();
    if (question !== undefined) this.postponed.add(question.id);
    return question;
  }

  decides(id: string): void {
    this.decidedHere.add(id);
  }

  decidesNot(id: string): void {
    this.decidedHere.delete(id);
  }

  isDecidedHere(id: string): boolean {
    return this.decidedHere.has(id);
  }
}
