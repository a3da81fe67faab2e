import { origin } from "../../../policy/origins.ts";
import type { Connector } from "../../approvers.ts";

/** Whose word is enough for something to be remembered for good: the agent's own, and that of its owners. Whoever merely writes over a
 *  connector, a group's member say, is not one of them; at the local surfaces everybody is. */

const localConnector = "local";

/** @param partition `main/tg_main` */
export function trustedIn(
  partition: string,
  connectors: readonly Connector[],
): (origin: string) => boolean {
  const [agent = "", connector = ""] = partition.split("/");
  const approvers = connectors.find(({ id }) => id === connector)?.approvers ?? [];
  const trusted = new Set([`agent:${agent}`, ...approvers.map((user) => origin("user", user))]);
  return (each) =>
    trusted.has(each) || (connector === localConnector && each.startsWith(origin("user", "")));
}
