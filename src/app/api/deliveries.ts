import { connectorAddress } from "../../actors/channel/channels.ts";
import type { Engine } from "../../engine/engine.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { DeliveryRow } from "../../schema/rows/channel-rows.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ShownDelivery } from "../../schema/shown/shown-channels.ts";
import {
  deliveryDetails,
  findDelivery,
  listDeliveries,
  showDelivery,
} from "../records/shown-delivery.ts";
import { sendOrRefuse } from "./actors.ts";
import type { Caller, Handlers } from "./caller.ts";

/** What is on its way to people, what did not arrive, and a person's word on it. */
export function deliveryReads(
  read: CommittedReader,
): Handlers<"deliveries.list" | "deliveries.show"> {
  return {
    "deliveries.list": (filter) => listDeliveries(read, filter),
    "deliveries.show": async ({ id }) => deliveryDetails(read, await findDelivery(read, id)),
  };
}

export function deliveryHandlers(
  engine: Engine,
): Handlers<"deliveries.resend" | "deliveries.cancel"> {
  return {
    "deliveries.resend": async ({ id }, caller) => {
      refuseUnlessResendable(await findDelivery(engine.read, id));
      return resend(engine, id, caller);
    },
    "deliveries.cancel": async ({ id }, { origin }) => {
      const { address } = await findDelivery(engine.read, id);
      const event = { type: "delivery.cancel", reason: "a person does not want it sent" };
      return sendOrRefuse(engine, address, { event, options: { origin } });
    },
  };
}

/** @throws AgentError delivery.not_resendable */
function refuseUnlessResendable({ delivery_id: id, state, resent_as }: DeliveryRow): void {
  if (resent_as !== null)
    throw new AgentError("delivery.not_resendable", `${id} was sent again, as ${resent_as}.`, {
      hint: `\`statehive deliveries show ${resent_as}\` shows what became of it`,
    });
  if (state === "unknown" || state === "dead") return;
  throw new AgentError("delivery.not_resendable", `${id} is ${state}: it is not sent again.`, {
    hint: "`statehive deliveries list` shows what did not arrive",
  });
}

/** The connector looks at it again, in the transaction that sends it. */
async function resend(
  engine: Engine,
  id: string,
  { name: by, origin }: Caller,
): Promise<ShownDelivery> {
  const { connector_id } = await findDelivery(engine.read, id);
  const event = { type: "delivery.resend", delivery_id: id, by };
  await sendOrRefuse(engine, connectorAddress(connector_id), { event, options: { origin } });
  const { resent_as } = await findDelivery(engine.read, id);
  if (resent_as !== null) return showDelivery(await findDelivery(engine.read, resent_as));
  throw new AgentError("delivery.not_resendable", `${id} was not sent again.`, {
    hint: `\`statehive deliveries show ${id}\` shows how it is`,
  });
}
