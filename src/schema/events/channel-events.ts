import { z } from "zod";
import {
  type ChosenAgent,
  type ConnectorUpdate,
  type DeliveryRow,
  deliveryKinds,
  type Pairing,
  type RateBucket,
} from "../rows/channel-rows.ts";
import { type EventEntry, fromPeople, internal, nothing, reason } from "./event-entry.ts";
import { inboundMessage, inboundPlace, type InboundUpdate, inboundUpdate } from "../inbound.ts";
import { longestText } from "../queue.ts";

/** The events of connectors, and of what comes in and goes out over them: part of the registry in events.ts. */

/** A row that the service itself has made; no more is asked of it. */
const row = <R extends object>() => z.looseObject({}) as unknown as z.ZodType<R>;

export const channelPayloads = {
  "connector.start": z.strictObject({
    /** How it is configured now; absent: as before. */
    intake: z.enum(["polling", "webhook"]).optional(),
  }),
  "connector.stop": z.strictObject({ reason: reason.optional() }),
  "updates.received": z.strictObject({ updates: z.array(inboundUpdate).max(1_000) }),
  "updates.judged": z.strictObject({
    updates: z.array(row<ConnectorUpdate>()),
    buckets: z.array(row<RateBucket>()),
    pairings: z.array(row<Pairing>()),
    /** Of strangers and floods: who, why, how often. */
    refusals: z.array(
      z.strictObject({ by: z.string(), reason: z.string(), count: z.int(), trace: z.string() }),
    ),
    /** To be judged when what was handed on before them has arrived. */
    rest: z.array(row<InboundUpdate>()),
  }),
  "updates.deferred": z.strictObject({ updates: z.array(row<InboundUpdate>()) }),
  "agent.chosen": z.strictObject({
    choice: row<ChosenAgent>(),
  }),
  "message.refused": z.strictObject({
    scope: z.string(),
    reply_to: z.string().nullable(),
    reason: z.string().optional(),
  }),
  "message.brought": z.strictObject({
    place: inboundPlace,
    conversation: z.enum(["private", "group"]),
    message: inboundMessage,
  }),
  "download.cancel": z.strictObject({ reason: reason.optional() }),
  "pairing.approve": z.strictObject({
    code: z.string().min(1).max(32),
    by: z.string().min(1).max(128),
  }),
  "pairing.revoke": z.strictObject({
    user_scope: z.string().min(1).max(200),
    by: z.string().min(1).max(128),
  }),
  "pairing.found": z.strictObject({
    pairing: row<Pairing>(),
    state: z.enum(["approved", "revoked"]),
    by: z.string(),
  }),
  "delivery.due": z.strictObject({
    scope: z.string().min(1).max(256),
    kind: z.enum(deliveryKinds),
    about: z.string().nullable(),
    text: z.string().max(longestText).nullable(),
    reply_to: z.string().nullable(),
    edits: z.string().nullable(),
    resends: z.string().nullable(),
  }),
  "delivery.resend": z.strictObject({
    delivery_id: z.string().min(1).max(64),
    by: z.string().min(1).max(300),
  }),
  "resendable.found": z.strictObject({
    delivery: row<DeliveryRow>(),
    by: z.string(),
  }),
  "delivery.retry": nothing,
  "delivery.cancel": z.strictObject({ reason: reason.optional() }),
  "turn.granted": z.strictObject({
    /** The message that shows what the reply began with. */
    edits: z.string().nullable(),
  }),
} as const;

export const channelEntries: { readonly [T in keyof typeof channelPayloads]: EventEntry } = {
  "connector.start": {
    origins: [...fromPeople],
    pokeable: true,
    description: "Begin to receive, now, also after it was stopped or its token was refused.",
  },
  "connector.stop": {
    origins: [...fromPeople],
    pokeable: true,
    description: "Receive nothing any more; what is to be sent waits.",
  },
  "updates.received": {
    origins: ["channel"],
    pokeable: false,
    description: "The channel brings updates by itself.",
  },
  "updates.deferred": internal("Updates whose turn to be judged has come."),
  "agent.chosen": internal("Who answers a person in a conversation from now on."),
  "updates.judged": internal("What the gateway says of updates: rows that keep it."),
  "message.refused": internal("A session did not take a message; its person is told."),
  "message.brought": internal("A message waits for files, its own or those of one before it."),
  "download.cancel": {
    origins: [...fromPeople, "actor"],
    pokeable: true,
    description: "Fetch no more files; what is said is handed on without them.",
  },
  "pairing.approve": {
    origins: ["cli", "tui", "api"],
    pokeable: false,
    description: "The owner lets a person in who has shown this code.",
  },
  "pairing.revoke": {
    origins: ["cli", "tui", "api"],
    pokeable: false,
    description: "The owner lets a person in no more.",
  },
  "pairing.found": internal("Whose code it is."),
  "delivery.due": {
    origins: ["actor", "api"],
    pokeable: false,
    description: "Something is to be said in a conversation of this channel.",
  },
  "delivery.resend": {
    origins: [...fromPeople, "actor"],
    pokeable: false,
    description: "A person wants sent again what may not have arrived.",
  },
  "resendable.found": internal("What is to be sent again."),
  "delivery.retry": {
    origins: ["actor", "api"],
    pokeable: false,
    description: "The wait before another attempt is over, or in vain.",
  },
  "delivery.cancel": {
    origins: [...fromPeople, "actor"],
    pokeable: true,
    description: "Do not send it any more.",
  },
  "turn.granted": internal("Everything that was to be sent before it has been."),
};
