import type { IntakeRoutes, TakeUpdates } from "../../adapters/channel/http/intake-route.ts";
import { type IntakeServer, openIntakeServer } from "../../adapters/channel/http/intake-server.ts";
import type { Log } from "../../ports/log.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { toErrorData } from "../../schema/errors.ts";

/** Where connectors are called by others: open as long as one of them is. */
export type Listener = {
  /** @throws AgentError port.unavailable */
  open(): Promise<void>;
  /** Listens as is configured now. @returns why it does not, and goes on as before */
  renew(): Promise<string | undefined>;
  close(): Promise<void>;
};

export type ListenerParts = {
  readonly config: () => HiveConfig;
  /** Asked for each caller. */
  readonly routes: () => IntakeRoutes;
  readonly take: TakeUpdates;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  readonly log: Log;
};

type Place = { readonly host: string; readonly port: number };
type Open = { readonly place: Place; readonly server: IntakeServer };

export function createListener({ config, routes, take, now, log }: ListenerParts): Listener {
  let current: Open | undefined;

  async function openAt(place: Place | undefined): Promise<void> {
    if (place === undefined) return;
    const server = await openIntakeServer({ ...place, routes, take, log, now });
    current = { place, server };
    const { host } = place;
    log("info", "connectors are called at this address", { host, port: server.port });
  }

  async function close(): Promise<void> {
    const former = current;
    current = undefined;
    await former?.server.close();
  }

  async function tryAt(place: Place | undefined): Promise<string | undefined> {
    try {
      await openAt(place);
      return undefined;
    } catch (thrown) {
      const { message } = toErrorData(thrown);
      log("error", "an address for connectors cannot be used", { message });
      return message;
    }
  }

  /** The port may be the same, so that the former one ends first; what comes in between comes again. */
  async function renew(): Promise<string | undefined> {
    const wanted = placeIn(config(), routes());
    const former = current?.place;
    if (wanted?.host === former?.host && wanted?.port === former?.port) return undefined;
    await close();
    const fault = await tryAt(wanted);
    if (fault !== undefined) await tryAt(former);
    return fault;
  }

  return {
    open: () => openAt(placeIn(config(), routes())),
    renew,
    close,
  };
}

function placeIn({ http }: HiveConfig, routes: IntakeRoutes): Place | undefined {
  const { host, port } = http;
  return routes.size === 0 || port === null ? undefined : { host, port };
}
