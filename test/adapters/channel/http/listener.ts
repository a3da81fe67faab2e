import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import {
  type IntakeOptions,
  openIntakeServer,
} from "../../../../src/adapters/channel/http/intake-server.ts";
import type { IntakeRoute, Taking } from "../../../../src/adapters/channel/http/intake-route.ts";
import { webhookIntake } from "../../../../src/adapters/channel/webhook/webhook-intake.ts";
import type { InboundUpdate } from "../../../../src/schema/inbound.ts";
import type { JsonObject } from "../../../../src/schema/json.ts";

/** A listener with two webhook connectors, and what it took and logged. */

export const secrets = { crm: "crm-secret-0123456789", shop: "shop-secret-0123456789" };

export type Posted = {
  readonly path?: string;
  readonly method?: string;
  readonly secret?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer<ArrayBuffer>;
};

export const hi = { id: "1", conversation: { id: "c1" }, user: { id: "ann" }, text: "Hi." };

export async function listener(options: Partial<IntakeOptions> = {}) {
  const taken: { readonly connector: string; readonly update: InboundUpdate }[] = [];
  const logged: (readonly [string, JsonObject])[] = [];
  const routes = new Map<string, IntakeRoute>(
    Object.entries(secrets).map(([connectorId, secret]) => [
      `/webhook/${connectorId}`,
      { connectorId, secret, protocol: webhookIntake },
    ]),
  );
  const take = async (connector: string, updates: readonly InboundUpdate[]): Promise<Taking> => {
    taken.push(...updates.map((update) => ({ connector, update })));
    return "taken";
  };
  const server = await openIntakeServer({
    host: "127.0.0.1",
    port: 0,
    routes: () => routes,
    take,
    log: (_level, message, fields = {}) => void logged.push([message, fields]),
    now: () => 0,
    ...options,
  });
  onTestFinished(() => server.close());

  async function post(posted: Posted = {}) {
    const { path = "/webhook/crm", method = "POST", secret = secrets.crm, headers = {} } = posted;
    const body = method === "POST" ? (posted.body ?? JSON.stringify(hi)) : null;
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: { ...(secret === null ? {} : { authorization: `Bearer ${secret}` }), ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Sends bytes as they are. @returns all that came back until the other side hung up */
  async function say(bytes: string): Promise<string> {
    const socket = connect(server.port, "127.0.0.1");
    let heard = "";
    socket.on("data", (piece: Buffer) => (heard += piece.toString()));
    socket.on("error", () => socket.destroy());
    socket.write(bytes);
    await once(socket, "close");
    return heard;
  }

  return { server, routes, taken, logged, post, say };
}

/** Takes nothing until it is told to. */
export function heldTake() {
  let release = (_taking: Taking) => {};
  let tellAsked = () => {};
  const held = new Promise<Taking>((resolve) => (release = resolve));
  const asked = new Promise<void>((resolve) => (tellAsked = resolve));
  const take = () => {
    tellAsked();
    return held;
  };
  return { take, asked, release: (taking: Taking) => release(taking) };
}
