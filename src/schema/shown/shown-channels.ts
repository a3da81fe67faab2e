import { z } from "zod";
import { deliveryKinds, deliveryStates } from "../rows/channel-rows.ts";
import { errorData, isoTime, strings } from "./shown.ts";

/** Connectors, the people that they let in, and what is on its way to people, as the owner sees them. */

export const shownConnector = z.strictObject({
  id: z.string(),
  type: z.string(),
  intake: z.enum(["polling", "webhook"]).describe("How messages come: asked for, or brought."),
  is_configured: z
    .boolean()
    .describe("False: it is in no file any more, and only its actor lives."),
  is_enabled: z.boolean(),
  state: z
    .string()
    .describe("Of its actor: `polling`; `set_aside` after a fault, `not_started` before it lives."),
  since: isoTime.nullable(),
  needs: z
    .string()
    .nullable()
    .describe("What a person has to do before it receives again; null: nothing."),
  name: z.string().nullable().describe("The account's, once the channel has said it."),
  agents: strings.describe("Those that people may choose."),
  allow_users: z.int().describe("How many may write by the configuration."),
  paired: z.int().describe("How many the owner has let in besides."),
  approvers: z.int(),
  groups: z.int(),
  accepted: z.int().describe("Updates, since the connector was made."),
  refused: z.int(),
  last_update_at: isoTime.nullable(),
  error: errorData.nullable().describe("The last one; null while all is well."),
});

export const shownConnectorDetails = shownConnector.extend({
  next_try_at: isoTime.nullable().describe("While it waits before it tries again."),
  pairings_open: z.int(),
  deliveries: z.strictObject({ open: z.int(), unknown: z.int(), dead: z.int() }),
  remarks: strings.describe("What is easily overlooked about such a connector."),
});

const pairingStates = ["open", "approved", "revoked"] as const;

export const shownPairing = z
  .strictObject({
    connector_id: z.string(),
    user_scope: z.string().describe("The person's id; it never changes hands."),
    name: z.string().describe("What the channel calls the person; proves nothing."),
    state: z.enum(pairingStates),
    code: z.string().nullable().describe("Of an open request."),
    created_at: isoTime,
    expires_at: isoTime.nullable().describe("Of an open request."),
    decided_at: isoTime.nullable(),
    decided_by: z.string().nullable(),
  })
  .describe("A person who asked to be let in, or was.");

export const shownDelivery = z
  .strictObject({
    id: z.string(),
    address: z.string(),
    connector_id: z.string(),
    scope: z.string().describe("The conversation: `chat[/topic]`."),
    kind: z.enum(deliveryKinds),
    about: z.string().nullable().describe("The run or the approval that it tells of."),
    state: z.enum(deliveryStates),
    needs_you: z
      .boolean()
      .describe("Nobody knows whether it arrived, or it did not, and it was not sent again."),
    arrived: z.int().describe("Parts that arrived."),
    attempts: z.int().describe("Of the part that did not."),
    error: errorData.nullable(),
    resends: z.string().nullable().describe("The delivery that it repeats."),
    resent_as: z.string().nullable().describe("The delivery that repeats it."),
    trace_id: z.string(),
    created_at: isoTime,
    ended_at: isoTime.nullable(),
  })
  .describe("A message of ours on its way to a conversation.");

export const shownDeliveryDetails = shownDelivery.extend({
  text: z.string().nullable().describe("What it says; null: there is nothing to say any more."),
});

export type ShownConnector = z.output<typeof shownConnector>;
export type ShownConnectorDetails = z.output<typeof shownConnectorDetails>;
export type ShownPairing = z.output<typeof shownPairing>;
export type ShownDelivery = z.output<typeof shownDelivery>;
export type ShownDeliveryDetails = z.output<typeof shownDeliveryDetails>;
