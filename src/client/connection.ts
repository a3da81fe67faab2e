import { createConnection, type Socket } from "node:net";
import { AgentError, type ErrorData, toErrorData } from "../schema/errors.ts";
import { createLineReader } from "../schema/socket/line-reader.ts";
import {
  type Client,
  type Method,
  type Notifications,
  type ParamsOf,
  protocolVersion,
  type Results,
  type RpcNotification,
  type RpcResponse,
} from "../schema/socket/protocol.ts";

/** One connection to the running service.
 *
 *  `call` rejects with the service's own AgentError, with `service.not_answering` after `timeoutMs` of silence, or with
 *  `service.not_running` when the connection is lost. */
export type Connection = {
  /** Who answers. */
  readonly service: Results["hello"];
  /** @param timeoutMs for what takes longer than the others */
  call<M extends Method>(method: M, params: ParamsOf<M>, timeoutMs?: number): Promise<Results[M]>;
  on<N extends keyof Notifications>(
    method: N,
    listener: (params: Notifications[N]) => void,
  ): () => void;
  /** Reads no more until `resume`: what the service has to say waits with the service. */
  pause(): void;
  resume(): void;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly ended: Promise<void>;
  close(): void;
};

/** What a chat needs of a connection. */
export type Attached = Pick<Connection, "call" | "on" | "ended">;

export type ConnectOptions = {
  readonly socketPath: string;
  /** As what its requests stand in approvals, audit and journal. */
  readonly client?: Client;
  readonly timeoutMs?: number;
};

/** @throws AgentError service.not_running, service.not_answering, service.other_version */
export async function connect({
  socketPath,
  client = "cli",
  timeoutMs = 10_000,
}: ConnectOptions): Promise<Connection> {
  const connection = new SocketConnection(await open(socketPath), timeoutMs);
  try {
    const service = await greet(connection, client);
    if (service.protocol !== protocolVersion) throw otherVersion(service);
    return Object.assign(connection, { service });
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** One of before clients had names refuses to hear of them. */
async function greet({ call }: SocketConnection, client: Client): Promise<Results["hello"]> {
  const protocol = protocolVersion;
  try {
    return await call("hello", client === "cli" ? { protocol } : { protocol, client });
  } catch (error) {
    if (toErrorData(error).code === "usage") throw otherVersion(undefined);
    throw error;
  }
}

function otherVersion(service: Results["hello"] | undefined): AgentError {
  const message =
    service === undefined
      ? `The service is of an older version, which does not speak protocol ${protocolVersion}.`
      : `The service (version ${service.version}) speaks protocol ${service.protocol}, not ${protocolVersion}.`;
  return new AgentError("service.other_version", message, {
    hint: "`statehive restart` starts it anew, with this version",
  });
}

const nobodyThere = new Set(["ENOENT", "ECONNREFUSED"]);

function open(socketPath: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath, () => resolve(socket));
    socket.once("error", (cause: NodeJS.ErrnoException) => {
      const isThere = !nobodyThere.has(cause.code ?? "");
      reject(isThere ? unreachable(socketPath, cause) : notRunning(cause));
    });
  });
}

function notRunning(cause: unknown): AgentError {
  return new AgentError("service.not_running", "No service runs for this home.", {
    cause,
    hint: "`statehive start` starts one",
  });
}

function unreachable(socketPath: string, cause: NodeJS.ErrnoException): AgentError {
  const message = `The socket ${socketPath} cannot be used: ${cause.code ?? cause.message}.`;
  return new AgentError("service.not_answering", message, { cause });
}

type Waiting = {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
};

const maxLineBytes = 64 * 1024 * 1024;

/** Its functions can be handed on by themselves. */
class SocketConnection implements Omit<Connection, "service"> {
  readonly ended: Promise<void>;
  private readonly socket: Socket;
  private readonly timeoutMs: number;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Map<string, Set<(params: never) => void>>();
  private lastId = 0;

  constructor(socket: Socket, timeoutMs: number) {
    this.socket = socket;
    this.timeoutMs = timeoutMs;
    this.ended = new Promise((resolve) => {
      socket.once("close", () => {
        this.failAll();
        resolve();
      });
    });
    socket.on("error", () => socket.destroy());
    socket.on(
      "data",
      createLineReader({
        maxLineBytes,
        onLine: (line) => this.read(line),
        onOverflow: () => socket.destroy(),
      }),
    );
  }

  readonly call = <M extends Method>(
    method: M,
    params: ParamsOf<M>,
    timeoutMs = this.timeoutMs,
  ): Promise<Results[M]> =>
    new Promise((resolve, reject) => {
      if (this.socket.destroyed) throw lost();
      this.lastId += 1;
      const id = this.lastId;
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(silent(method, timeoutMs));
      }, timeoutMs);
      this.waiting.set(id, { resolve, reject, timer });
      this.socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });

  readonly on = <N extends keyof Notifications>(
    method: N,
    listener: (params: Notifications[N]) => void,
  ): (() => void) => {
    const known = this.listeners.get(method) ?? new Set();
    this.listeners.set(method, known);
    known.add(listener);
    return () => known.delete(listener);
  };

  readonly pause = (): void => void this.socket.pause();
  readonly resume = (): void => void this.socket.resume();

  readonly close = (): void => {
    this.socket.destroy();
  };

  /** Whoever answers with what is no JSON is no service of ours. */
  private read(line: string): void {
    const message = parsed(line);
    if (message === undefined) this.socket.destroy();
    else if ("method" in message) {
      for (const listener of this.listeners.get(message.method) ?? []) {
        listener(message.params as never);
      }
    } else this.settle(message);
  }

  private settle(response: RpcResponse): void {
    const call = this.waiting.get(response.id ?? -1);
    if (call === undefined) return;
    this.waiting.delete(response.id as number);
    clearTimeout(call.timer);
    if ("error" in response) call.reject(toAgentError(response.error.data));
    else call.resolve(response.result);
  }

  private failAll(): void {
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(lost());
    }
    this.waiting.clear();
  }
}

function parsed(line: string): RpcResponse | RpcNotification | undefined {
  try {
    return JSON.parse(line) as RpcResponse | RpcNotification;
  } catch {
    return undefined;
  }
}

function lost(): AgentError {
  return new AgentError("service.not_running", "The connection to the service was lost.");
}

function silent(method: string, timeoutMs: number): AgentError {
  const message = `The service did not answer ${method} within ${timeoutMs} ms.`;
  return new AgentError("service.not_answering", message);
}

function toAgentError(data: ErrorData): AgentError {
  return new AgentError(data.code, data.message, {
    retryable: data.retryable,
    ...(data.hint === undefined ? {} : { hint: data.hint }),
    ...(data.details === undefined ? {} : { details: data.details }),
  });
}
