import { homeOf } from "../../../memory/partitions.ts";
import { origin } from "../../../policy/origins.ts";
import { approverOrigins, type Connector } from "../../approvers.ts";

/** Whose word is enough for something to be remembered for good: the agent's own, and that of its owners. Whoever merely writes over a
 *  connector, a group's member say, is not one of them; at the local surfaces everybody is. */

const localConnector = "local";

/** @param partition `main/tg_main` */
export function trustedIn(
  partition: string,
  connectors: readonly Connector[],
): (origin: string) => boolean {
  const home = homeOf(partition);
  if (home === undefined) return () => false;
  const { agent_id, connector_id } = home;
  const trusted = new Set([
    origin("agent", agent_id),
    ...approverOrigins(connectors, connector_id),
  ]);
  return (each) =>
    trusted.has(each) || (connector_id === localConnector && each.startsWith(origin("user", "")));
}
