import { AgentError } from "../../schema/errors.ts";
import type { Address, EventData, EventRegistry, EventSpec } from "../../schema/events/event.ts";
import { describeFaults } from "../../schema/input-faults.ts";
import type { Json } from "../../schema/json.ts";
import { payloadBrief } from "../../schema/events/payload-brief.ts";
import { payloadSchema } from "../../schema/events/payload-schema.ts";
import type { SendOptions } from "../engine.ts";
import { jsonFault } from "../kernel/json-check.ts";

/** What comes from outside is checked against the registry before it is accepted.
 *  @throws AgentError event.unknown, event.wrong_origin, event.not_pokeable, event.invalid */
export function admitEvent(events: EventRegistry, event: EventData, send: SendOptions): void {
  const spec = Object.hasOwn(events, event.type) ? events[event.type] : undefined;
  if (spec === undefined) {
    throw new AgentError("event.unknown", `no event is called ${JSON.stringify(event.type)}`);
  }
  if (send.poke === true && !spec.pokeable) {
    const isDecision = event.type.startsWith("approval.");
    const hint = isDecision ? { hint: "decisions go through `statehive approvals`" } : {};
    throw new AgentError("event.not_pokeable", `${event.type} may not be sent by hand`, hint);
  }
  if (!spec.origins.includes(send.origin)) {
    throw new AgentError("event.wrong_origin", `${event.type} may not come from ${send.origin}`);
  }
  checkPayload(event, spec);
}

/** What an event says has its secrets replaced; what it is found by cannot be another.
 *  @throws AgentError event.invalid */
export function refuseSecretNames(
  redact: <T extends Json>(value: T) => T,
  names: { readonly address: Address; readonly key: string | null },
): void {
  const shown = redact(names);
  if (shown.address === names.address && shown.key === names.key) return;
  throw new AgentError(
    "event.invalid",
    "A secret of this service stands in a name or an address.",
    {
      hint: "choose another name; what is sent as text may hold it",
    },
  );
}

function checkPayload(event: EventData, spec: EventSpec): void {
  const { type, ...payload } = event;
  const parsed = spec.payload.safeParse(payload);
  if (!parsed.success) {
    const faults = describeFaults(parsed.error.issues, { whole: "the payload" });
    const takes = payloadBrief(payloadSchema(spec.payload)) || "nothing";
    throw new AgentError("event.invalid", `${type}: ${faults} It takes ${takes}.`);
  }
  const fault = jsonFault(payload, type);
  if (fault !== undefined) throw new AgentError("event.invalid", fault);
}
