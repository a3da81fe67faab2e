import type { CommittedReader } from "../../ports/store.ts";
import type { DeliveryRow } from "../../schema/channel-rows.ts";
import type { Button, CardPart, OutboundMessage } from "../../schema/outbound.ts";
import { type Approval, approvalTable } from "../../schema/permission-rows.ts";

/** A question to people as a card with buttons; once it has ended, as a card that says how. */
export async function composeQuestion(
  read: CommittedReader,
  row: DeliveryRow,
): Promise<OutboundMessage | undefined> {
  const approval = await read.get(approvalTable, row.about ?? "");
  if (approval === undefined) return undefined;
  const { scope, reply_to } = row;
  const parts = cardOf(approval);
  const isOpen = approval.state === "pending";
  return {
    scope,
    reply_to,
    wants_reply: false,
    body: { kind: "card", parts },
    buttons: isOpen ? buttonsOf(approval) : [],
  };
}

function cardOf({ approval_id, summary, state, decided_by, agent_id }: Approval): CardPart[] {
  const title =
    state === "pending" ? `${approval_id}: may ${agent_id} do this?` : `${approval_id}: ${state}`;
  return [
    { kind: "title", text: title },
    { kind: "code", text: summary },
    ...(decided_by === null ? [] : [{ kind: "fact", name: "by", value: decided_by } as const]),
  ];
}

const bindingCharacters = 16;

/** What a button brings back: what is answered, to which question, as it was shown. */
export function buttonData(answer: string, { approval_id, binding }: Approval): string {
  return `${answer}:${approval_id}:${binding.slice(0, bindingCharacters)}`;
}

function buttonsOf(approval: Approval): Button[][] {
  const button = (label: string, answer: string): Button => ({
    label,
    data: buttonData(answer, approval),
  });
  if (approval.kind !== "call")
    return approval.options.map((option, index) => [button(option, `${index}`)]);
  return [[button("Allow once", "o"), button("For this session", "s")], [button("Deny", "d")]];
}
