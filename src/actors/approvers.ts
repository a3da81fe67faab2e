import { origin } from "../policy/origins.ts";
import { keyIn, placeIn } from "./session-key.ts";
import { personName } from "../policy/person-name.ts";

/** A way in from outside, and its users who may approve. */
export type Connector = {
  readonly id: string;
  readonly type: string;
  /** Their ids in the channel. */
  readonly approvers: readonly string[];
};

/** Who may answer a question of this session besides the owner at the local surfaces, as `tg_main:1001`. What an agent asks the
 *  person whom it talks with, that person may answer too. */
export function approversOf(
  connectors: readonly Connector[],
  session_address: string,
  about: "permission" | "question",
): string[] {
  const { channel_type, connector_id, user_scope } = placeIn(keyIn(session_address));
  const connector = connectors.find(({ id, type }) => id === connector_id && type === channel_type);
  if (connector === undefined) return [];
  const { approvers } = connector;
  const users = about === "question" ? [...approvers, user_scope] : approvers;
  return [...new Set(users)].map((user) => personName(connector_id, user));
}

/** Those who may approve over a connector, as text is marked that came from them. */
export function approverOrigins(connectors: readonly Connector[], connector_id: string): string[] {
  const approvers = connectors.find(({ id }) => id === connector_id)?.approvers ?? [];
  return approvers.map((user) => origin("user", user));
}
