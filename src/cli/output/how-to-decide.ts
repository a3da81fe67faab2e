import type { ShownApproval } from "../../schema/socket/protocol.ts";
import { shown } from "../../text/shown.ts";

/** A question that waits for somebody, and the commands that answer it. */
export function howToDecide({ id, kind, summary, options, run_id }: ShownApproval): string {
  const it = shown(id);
  if (kind === "call") {
    return `${it} waits for you: ${shown(summary)}\n  \`statehive approvals show ${it}\`, then \`statehive approvals allow ${it}\` or \`deny ${it}\``;
  }
  const choices = options.length === 0 ? "" : ` (${shown(options.join(", "))})`;
  return `${it} asks you in run ${shown(run_id)}: ${shown(summary)}${choices}\n  \`statehive approvals answer ${it} VALUE\``;
}
