import { withoutKeyParts } from "../../policy/key-parts.ts";
import { createRedactor } from "../../policy/redaction.ts";
import { AgentError, type ErrorData, toErrorData } from "../../schema/errors.ts";
import type { Configured } from "../models/provider-report.ts";
import { noConnector } from "../records/shown-connector.ts";
import type { ConnectorConfig } from "./configured-channels.ts";
import { makeChannel } from "./make-channel.ts";

/** Whether the channels of connectors answer, asked by themselves: no service is needed, and none is disturbed. No token, nor a part of
 *  one, leaves this module. */

export type ConnectorTrial = {
  readonly id: string;
  readonly type: string;
  /** Who the channel says that it is. */
  readonly account: string | null;
  readonly state: "answers" | "fails";
  readonly latency_ms: number;
  readonly error: Pick<ErrorData, "code" | "message" | "retryable" | "hint"> | null;
};

export type TrialOptions = Configured & { readonly deadlineMs: number };

/** All at the same time. @param id only this one   @throws AgentError connector.not_found */
export async function tryConnectors(
  options: TrialOptions,
  id?: string,
): Promise<readonly ConnectorTrial[]> {
  const { connectors } = options.config;
  const wanted = connectors.filter((one) => (id ?? one.id) === one.id);
  if (id !== undefined && wanted.length === 0) throw noConnector(id, connectors);
  return Promise.all(wanted.map((one) => tryConnector(options, one)));
}

async function tryConnector(
  { secrets, deadlineMs }: TrialOptions,
  connector: ConnectorConfig,
): Promise<ConnectorTrial> {
  const { id, type } = connector;
  const { connectors, values } = secrets();
  const { channel } = makeChannel(connector, connectors.get(id));
  const begun = performance.now();
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const { name } = await channel.identify(signal);
    const latency_ms = Math.round(performance.now() - begun);
    return { id, type, account: name, state: "answers", latency_ms, error: null };
  } catch (thrown) {
    const latency_ms = Math.round(performance.now() - begun);
    const error = told(signal.aborted ? tooSlow(deadlineMs) : toErrorData(thrown), values);
    return { id, type, account: null, state: "fails", latency_ms, error };
  } finally {
    await channel.close();
  }
}

function told(
  { code, message, retryable, hint }: ErrorData,
  secrets: readonly string[],
): ConnectorTrial["error"] {
  const clean = secrets.reduce(withoutKeyParts, createRedactor(secrets).text(message));
  return { code, message: clean, retryable, ...(hint === undefined ? {} : { hint }) };
}

function tooSlow(deadlineMs: number): ErrorData {
  const message = `No answer within ${deadlineMs} ms.`;
  return new AgentError("channel.unreachable", message, {
    retryable: true,
    hint: "check the network, and `api_root` or `callback_url` of the connector",
  }).toData();
}
