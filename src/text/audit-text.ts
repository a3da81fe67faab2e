import type { ShownAudit } from "../schema/socket/protocol.ts";
import { shown } from "./shown.ts";

/** Rows of the audit in words. */

/** A tool that did its work and refused is `done`, and told an error. */
export function auditStatus({ status, error }: ShownAudit): string {
  return status === "done" && error !== null ? "done (error)" : status;
}

/** An answer to a question that did not count: it decided nothing. */
export function isRefusedAnswer({ kind, status }: Pick<ShownAudit, "kind" | "status">): boolean {
  return kind === "decision" && status === "refused";
}

/** On one line: why it was decided so; of what ran, what went wrong. Empty where nobody said anything. */
export function auditWhy({ reason, error }: ShownAudit): string {
  const why = reason ?? error;
  return why === null || why === "" ? "" : shown(why);
}

/** On one line; of what was poked: which event went where. */
export function auditInput({ kind, input }: ShownAudit): string {
  if (kind !== "poke" || typeof input !== "object" || input === null) return shown(input);
  const { event, address } = input as { readonly event?: unknown; readonly address?: unknown };
  if (event === undefined) return shown(input);
  return `${shown(event)} to ${shown(address)}`;
}
