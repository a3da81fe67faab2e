import type { ChannelIdentity, ReceivedUpdates } from "../../schema/activities.ts";
import type { ConnectorContext } from "../../schema/contexts/connector-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { EventOf } from "../../schema/events/events.ts";

export type ConnectorInput = Pick<ConnectorContext, "connector_id" | "type" | "intake">;

export type ConnectorEvent =
  | EventOf<"connector.start">
  | EventOf<"connector.stop">
  | EventOf<"updates.received">
  | EventOf<"updates.judged">
  | EventOf<"updates.deferred">
  | EventOf<"agent.chosen">
  | EventOf<"delivery.due">
  | EventOf<"delivery.resend">
  | EventOf<"resendable.found">
  | EventOf<"message.refused">
  | EventOf<"pairing.approve">
  | EventOf<"pairing.revoke">
  | EventOf<"pairing.found">
  | EventOf<"actor.failed">;

type Failed<Activity extends string> = {
  readonly type: `xstate.error.actor.${Activity}`;
  readonly error: ErrorData;
};

export type AnyConnectorEvent =
  | ConnectorEvent
  | { readonly type: "xstate.done.actor.openChannel"; readonly output: ChannelIdentity }
  | { readonly type: "xstate.done.actor.receiveUpdates"; readonly output: ReceivedUpdates }
  | Failed<"openChannel">
  | Failed<"receiveUpdates">;
