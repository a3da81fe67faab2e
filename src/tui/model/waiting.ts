import type { Service } from "../service.ts";
import type { Model } from "./model.ts";

/** What waits for a person: the oldest of it, as far down as somebody went. */

const pageRows = 200;
/** The service tells no more at once. */
const mostRows = 10_000;

type Asking = { readonly model: Model; readonly service: Pick<Service, "call"> };

export async function askWaiting({ model, service }: Asking): Promise<void> {
  const limit = model.approvalLimit;
  const waiting = await service.call("approvals.list", { limit });
  if (limit !== model.approvalLimit) return;
  model.approvals = waiting.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** Whether there may be some that are not here. */
export function isCutOff({ approvals, approvalLimit }: Model): boolean {
  return approvals.length >= approvalLimit;
}

export async function askMoreWaiting({ model, service, changed }: Asking & { changed(): void }) {
  if (!isCutOff(model) || model.detachedAt !== null) return;
  model.approvalLimit = Math.min(mostRows, model.approvals.length + pageRows);
  await askWaiting({ model, service }).catch(() => {});
  changed();
}

/** With those that are not here, as the service counted them last. */
export function waitingCount(model: Model): number {
  const { approvals, status } = model;
  return isCutOff(model) ? Math.max(approvals.length, status?.approvals ?? 0) : approvals.length;
}
