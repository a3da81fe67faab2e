import { hashOf } from "../../policy/canonical-json.ts";
import type { ApprovalInput } from "./approval-events.ts";

/** What an answer is bound to: the whole question, with the binding of what it is about, who may answer, and until when. */
export function questionBinding(question: ApprovalInput, createdAt: number): string {
  return hashOf({ ...question, expires_at: createdAt + question.timeout_ms });
}
