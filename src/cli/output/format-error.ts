import type { AgentError, ErrorData } from "../../schema/errors.ts";
import { shownLines } from "./shown.ts";

/** What went wrong and the next step, for people. */
export function formatError({ message, hint }: AgentError | ErrorData): string {
  const told = `statehive: ${shownLines(message)}`;
  return hint === undefined ? told : `${told}\n  ${shownLines(hint)}`;
}
