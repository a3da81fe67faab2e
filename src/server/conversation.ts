import type { Socket } from "node:net";
import type { Api, Caller } from "../app/api/caller.ts";
import type { Service } from "../app/service.ts";
import { parseJsonInput } from "../policy/json-input.ts";
import { AgentError, type ErrorData, toErrorData } from "../schema/errors.ts";
import { describeFaults } from "../schema/input-faults.ts";
import {
  type Client,
  type Method,
  methodParams,
  type RpcResponse,
} from "../schema/socket/protocol.ts";
import { z } from "zod";
import { mostAtOnce, mostUnreadBytes, rpcCodes } from "./limits.ts";

const { parseError, invalidRequest, methodNotFound, ourError } = rpcCodes;

export type ConversationOptions = {
  readonly api: Api;
  readonly socket: Socket;
  readonly log: Service["log"];
};

/** One client's side of the socket: lines in, answers and notifications out. */
export type Conversation = { onLine(line: string): void; onOverflow(): void; ended(): void };

const request = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.int(),
  method: z.string(),
  params: z.unknown().optional(),
});

export function converse({ api, socket, log }: ConversationOptions): Conversation {
  const endings = new Set<() => void>();
  const write = (message: unknown) => {
    if (socket.destroyed) return;
    if (socket.writableLength > mostUnreadBytes) socket.destroy();
    else socket.write(`${JSON.stringify(message)}\n`);
  };
  let client: Client | undefined;
  const caller: Caller = {
    get origin() {
      return client ?? "cli";
    },
    get name() {
      return client ?? "cli";
    },
    introduce: (as) => {
      if (client !== undefined && client !== as) throw alreadyKnown(client, as);
      client = as;
    },
    notify: (method, params) => write({ jsonrpc: "2.0", method, params }),
    drained: () => drained(socket),
    onEnd: (call) => {
      endings.add(call);
      return () => void endings.delete(call);
    },
  };
  const answer = async (line: string) => {
    write(await answerTo({ api, caller, log }, line));
    await drained(socket);
  };
  const requests = inTurns(socket, answer);
  return {
    onLine: requests.add,
    onOverflow: () => {
      write(
        failure(null, invalidRequest, new AgentError("usage", "The line is too long.").toData()),
      );
      socket.destroySoon();
    },
    ended: () => {
      requests.forget();
      for (const call of endings) call();
      endings.clear();
    },
  };
}

function alreadyKnown(client: Client, as: Client): AgentError {
  return new AgentError("usage", `This connection has said that it is ${client}, not ${as}.`);
}

type Turns = { add(line: string): void; forget(): void };

/** A request has its turn until its answer is out. */
function inTurns(socket: Socket, answer: (line: string) => Promise<void>): Turns {
  let waiting: string[] = [];
  let open = 0;
  const take = async (line: string) => {
    open += 1;
    await answer(line);
    open -= 1;
    goOn();
  };
  const goOn = () => {
    const free = mostAtOnce - open;
    for (const line of waiting.splice(0, free)) void take(line);
    if (open < mostAtOnce) socket.resume();
    else socket.pause();
  };
  return {
    add: (line) => {
      waiting.push(line);
      goOn();
    },
    forget: () => {
      waiting = [];
    },
  };
}

function drained(socket: Socket): Promise<void> {
  if (socket.destroyed || !socket.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      socket.off("drain", end).off("close", end);
      resolve();
    };
    socket.on("drain", end).on("close", end);
  });
}

type Answering = { readonly api: Api; readonly caller: Caller; readonly log: Service["log"] };

async function answerTo({ api, caller, log }: Answering, line: string): Promise<RpcResponse> {
  const parsed = request.safeParse(jsonOf(line));
  if (!parsed.success) {
    return failure(
      null,
      parseError,
      new AgentError("usage", "The line is no JSON-RPC 2.0 request.").toData(),
    );
  }
  const { id, method, params } = parsed.data;
  if (!isMethod(method)) {
    return failure(
      id,
      methodNotFound,
      new AgentError("usage", `There is no method ${method}.`).toData(),
    );
  }
  const wanted = methodParams[method].safeParse(params ?? {});
  if (!wanted.success) {
    const known = Object.keys(methodParams[method].shape);
    const faults = describeFaults(wanted.error.issues, { whole: "params", known });
    return failure(id, invalidRequest, new AgentError("usage", `${method}: ${faults}`).toData());
  }
  try {
    return { jsonrpc: "2.0", id, result: await api[method](wanted.data as never, caller) };
  } catch (thrown) {
    return failure(id, ourError, errorOf(thrown, log));
  }
}

/** A fault of ours is logged whole and told without its inside. */
function errorOf(thrown: unknown, log: Service["log"]): ErrorData {
  if (thrown instanceof AgentError) return thrown.toData();
  const inside = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  log("error", "a request failed inside", { error: inside });
  return toErrorData(
    new AgentError("internal", "A fault inside statehive; the log has the details."),
  );
}

function failure(id: number | null, code: number, data: ErrorData): RpcResponse {
  return { jsonrpc: "2.0", id, error: { code, message: data.message, data } };
}

function jsonOf(line: string): unknown {
  try {
    return parseJsonInput(line);
  } catch {
    return undefined;
  }
}

function isMethod(method: string): method is Method {
  return Object.hasOwn(methodParams, method);
}
