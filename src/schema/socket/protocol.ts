import type { z } from "zod";
import type { ErrorData } from "../errors.ts";
import type { methodParams } from "./method-params.ts";
import type { methodResults } from "./results.ts";

export type { ActorStep } from "../shown/actor-view.ts";
export type { Client } from "./client.ts";
export type { ChatEvent } from "../shown/chat-event.ts";
export { methodParams, type UsageGroup, usageGroups } from "./method-params.ts";
export type { Notifications } from "./notifications.ts";
export type { ChainReport, ServiceStatus } from "./results.ts";
export type {
  ShownApproval,
  ShownAudit,
  ShownMessage,
  ShownRun,
  ShownTask,
} from "../shown/shown.ts";

/** What is said over the socket: JSON-RPC 2.0, one object a line. Times are ISO 8601 in UTC. The methods with their parameters
 *  are in method-params.ts, what they answer in results.ts, what is told unasked in notifications.ts. */

export const protocolVersion = 2;

export type Method = keyof typeof methodParams;
/** What committed rows alone answer: it works without a service too, over the database file. */
export const readMethods = [
  "machines.list",
  "machines.show",
  "actors.tree",
  "actor.get",
  "actors.dead",
  "approvals.list",
  "approvals.show",
  "approvals.step",
  "grants.list",
  "marks.list",
  "runs.list",
  "runs.show",
  "runs.replay",
  "runs.moment",
  "sessions.list",
  "sessions.show",
  "tasks.list",
  "tasks.show",
  "usage.totals",
  "connectors.list",
  "connectors.status",
  "pairings.list",
  "deliveries.list",
  "deliveries.show",
  "schedules.list",
  "schedules.show",
  "memory.search",
  "memory.files",
  "memory.show",
  "memory.log",
  "memory.diff",
  "audit.query",
  "audit.export",
  "audit.verify",
] as const satisfies readonly Method[];
export type ReadMethod = (typeof readMethods)[number];
export type ParamsOf<M extends Method> = z.input<(typeof methodParams)[M]>;
export type ParsedParams<M extends Method> = z.output<(typeof methodParams)[M]>;

export type Results = { readonly [M in Method]: z.output<(typeof methodResults)[M]> };

/** `data` is the AgentError; `code` is JSON-RPC's number, -32000 for ours. */
export type RpcResponse =
  | { readonly jsonrpc: "2.0"; readonly id: number; readonly result: unknown }
  | {
      readonly jsonrpc: "2.0";
      readonly id: number | null;
      readonly error: { readonly code: number; readonly message: string; readonly data: ErrorData };
    };

export type RpcNotification = {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params: unknown;
};
