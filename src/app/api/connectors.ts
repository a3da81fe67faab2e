import { connectorAddress } from "../../actors/channel/channels.ts";
import type { Engine } from "../../engine/engine.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import {
  connectorDetails,
  type ConnectorSource,
  listConnectors,
  noConnector,
} from "../records/shown-connector.ts";
import { sendOrRefuse } from "./actors.ts";
import type { Caller, Handlers } from "./caller.ts";

/** The ways in from outside: how they are, and a person's word on whether they receive. */
export function connectorReads(
  read: CommittedReader,
  source: ConnectorSource,
): Handlers<"connectors.list" | "connectors.status"> {
  return {
    "connectors.list": () => listConnectors(read, source),
    "connectors.status": ({ id }) => connectorDetails(read, source, id),
  };
}

export function connectorHandlers(
  engine: Engine,
  source: ConnectorSource,
): Handlers<"connectors.start" | "connectors.stop"> {
  const tell = async (id: string, type: string, { origin }: Caller) => {
    const { state } = await sendOrRefuse(engine, connectorAddress(id), {
      event: { type },
      options: { origin },
    });
    return { id, state };
  };
  return {
    "connectors.start": async ({ id }, caller) => {
      refuseUnlessEnabled(source, id);
      return tell(id, "connector.start", caller);
    },
    "connectors.stop": async ({ id }, caller) => {
      await connectorDetails(engine.read, source, id);
      return tell(id, "connector.stop", caller);
    },
  };
}

/** @throws AgentError connector.not_found */
function refuseUnlessEnabled({ config }: ConnectorSource, id: string): void {
  const { connectors } = config();
  const connector = connectors.find((one) => one.id === id);
  if (connector === undefined) throw noConnector(id, connectors);
  if (connector.enabled) return;
  throw new AgentError("connector.not_found", `The connector ${id} is disabled.`, {
    hint: "take `enabled: false` out of config/main.yaml, then `statehive config reload`",
  });
}
