import { createConnection, type Socket } from "node:net";
import { AgentError, type ErrorData } from "../schema/errors.ts";
import type { Method, Notifications, ParamsOf, Results, RpcNotification, RpcResponse } from "../schema/protocol.ts";
import { protocolVersion } from "../schema/protocol.ts";
import { createLineReader } from "../schema/line-reader.ts";

/** One connection to the running service.
 *
 *  `call` rejects with the service's own AgentError, with `service.not_answering` after `timeoutMs` of silence, or with
 *  `service.not_running` when the connection is lost. */
export type Connection = {
  call<M extends Method>(method: M, params: ParamsOf<M>): Promise<Results[M]>;
  on<N extends keyof Notifications>(method: N, listener: (params: Notifications[N]) => void): () => void;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly ended: Promise<void>;
  close(): void;
};

export type ConnectOptions = { readonly socketPath: string; readonly timeoutMs?: number };

const maxLineBytes = 64 * 1024 * 1024;

type Waiting = { resolve(result: unknown): void; reject(error: unknown): void; timer: NodeJS.Timeout };

/** @throws AgentError service.not_running, service.not_answering (also for one of another protocol) */
export async function connect({ socketPath, timeoutMs = 10_000 }: ConnectOptions): Promise<Connection> {
  const socket = await open(socketPath);
  const connection = converse(socket, timeoutMs);
  const { protocol, version } = await connection.call("hello", { protocol: protocolVersion });
  if (protocol === protocolVersion) return connection;
  connection.close();
  throw new AgentError("service.not_answering", `The service (version ${version}) speaks protocol ${protocol}, not ${protocolVersion}.`, {
    hint: "restart it: `statehive restart`",
  });
}

function open(socketPath: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath, () => resolve(socket));
    socket.once("error", (cause) => {
      reject(
        new AgentError("service.not_running", "No service runs for this home.", {
          cause,
          hint: "`statehive start` starts one",
        }),
      );
    });
  });
}

function converse(socket: Socket, timeoutMs: number): Connection {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<(params: never) => void>>();
  let lastId = 0;
  const lost = () => new AgentError("service.not_running", "The connection to the service was lost.");
  const ended = new Promise<void>((resolve) => {
    socket.once("close", () => {
      for (const { reject, timer } of waiting.values()) {
        clearTimeout(timer);
        reject(lost());
      }
      waiting.clear();
      resolve();
    });
  });
  socket.on("error", () => socket.destroy());
  const settle = (response: RpcResponse) => {
    const call = waiting.get(response.id ?? -1);
    if (call === undefined) return;
    waiting.delete(response.id as number);
    clearTimeout(call.timer);
    if ("error" in response) call.reject(toAgentError(response.error.data));
    else call.resolve(response.result);
  };
  const readLine = (line: string) => {
    const message = JSON.parse(line) as RpcResponse | RpcNotification;
    if (!("method" in message)) settle(message);
    else for (const listener of listeners.get(message.method) ?? []) listener(message.params as never);
  };
  socket.on("data", createLineReader({ maxLineBytes, onLine: readLine, onOverflow: () => socket.destroy() }));
  return {
    ended,
    close: () => socket.destroy(),
    on: (method, listener) => {
      const known = listeners.get(method) ?? new Set();
      listeners.set(method, known);
      known.add(listener as (params: never) => void);
      return () => known.delete(listener as (params: never) => void);
    },
    call: (method, params) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) throw lost();
        lastId += 1;
        const id = lastId;
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new AgentError("service.not_answering", `The service did not answer ${method} within ${timeoutMs} ms.`));
        }, timeoutMs);
        waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, timer });
        socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      }),
  };
}

function toAgentError(data: ErrorData): AgentError {
  return new AgentError(data.code, data.message, {
    retryable: data.retryable,
    ...(data.hint === undefined ? {} : { hint: data.hint }),
    ...(data.details === undefined ? {} : { details: data.details }),
  });
}
