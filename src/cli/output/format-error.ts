import type { AgentError, ErrorData } from "../../schema/errors.ts";
import { hintOf } from "./hints.ts";
import { shownLines } from "../../text/shown.ts";

/** What went wrong and the next step, for people. */
export function formatError(error: AgentError | ErrorData): string {
  const told = `statehive: ${shownLines(error.message)}`;
  const hint = hintOf(error);
  return hint === undefined ? told : `${told}\n  ${shownLines(hint)}`;
}
