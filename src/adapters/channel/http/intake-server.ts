import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Log } from "../../../ports/log.ts";
import { errnoOf } from "../../../schema/errno.ts";
import { AgentError, toErrorData } from "../../../schema/errors.ts";
import { readBounded } from "../../web/bounded-body.ts";
import type { IntakeRoute, IntakeRoutes, Reading, TakeUpdates } from "./intake-route.ts";
import { RefusalCount } from "./refusal-count.ts";
import { isSameSecret } from "./same-secret.ts";

export type IntakeOptions = {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Asked for each request: what was configured anew holds at once. */
  readonly routes: () => IntakeRoutes;
  readonly take: TakeUpdates;
  readonly log: Log;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** For tests. */
  readonly headersTimeoutMs?: number;
};

export type IntakeServer = {
  readonly port: number;
  /** Takes no more callers; those who wait for an answer get theirs first. */
  close(): Promise<void>;
};

const most = { connections: 256, requests: 64, headerBytes: 8 * 1024, bodyBytes: 1024 * 1024 };
const retryAfterSeconds = 5;
const json = "application/json; charset=utf-8";

type Answer = {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** How long those who wait for an answer have when the listener ends. */
const closingMs = 1_000;

/** Listens for connectors that are called by others: one path each, a secret each.
 *  @throws AgentError port.unavailable */
export async function openIntakeServer(options: IntakeOptions): Promise<IntakeServer> {
  const intake = new Intake(options);
  const { headersTimeoutMs = 10_000 } = options;
  const server = createServer(
    {
      maxHeaderSize: most.headerBytes,
      headersTimeout: headersTimeoutMs,
      requestTimeout: 2 * headersTimeoutMs,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
    },
    (request, response) => void intake.answer(request, response),
  );
  server.maxConnections = most.connections;
  const port = await listening(server, options);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        intake.close();
        const over = setTimeout(() => server.closeAllConnections(), closingMs);
        server.close(() => {
          clearTimeout(over);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function listening(server: Server, { host, port }: IntakeOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    /** Stays: an error of a later caller would otherwise end the process. */
    server.on("error", (cause) => {
      const message = `Port ${port} of ${host} cannot be used: ${errnoOf(cause)}.`;
      const hint = "set http.port in config/main.yaml to one that is free";
      reject(new AgentError("port.unavailable", message, { hint, cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

class Intake {
  private readonly options: IntakeOptions;
  private readonly refusals: RefusalCount;
  private requests = 0;
  private isClosing = false;

  constructor(options: IntakeOptions) {
    this.options = options;
    this.refusals = new RefusalCount(options.log, options.now);
  }

  close(): void {
    this.isClosing = true;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => response.destroy());
    response.on("error", () => response.destroy());
    this.requests += 1;
    const answer = await this.answerTo(request).catch((thrown: unknown): Answer => {
      this.options.log("error", "a caller could not be answered", { ...toErrorData(thrown) });
      return { status: 500 };
    });
    this.requests -= 1;
    if (!response.destroyed) this.send(request, response, answer);
  }

  private async answerTo(request: IncomingMessage): Promise<Answer> {
    const [path = ""] = (request.url ?? "").split("?");
    const route = this.options.routes().get(path);
    if (route === undefined) return this.refuse(404, "there is no such connector");
    if (request.method !== "POST") {
      return { ...this.refuse(405, "not a POST", route), headers: { allow: "POST" } };
    }
    if (!isSameSecret(route.protocol.secretIn(request.headers), route.secret)) {
      return this.refuse(401, "wrong secret", route);
    }
    if (this.requests > most.requests) return later;
    const body = await bodyOf(request);
    return body === undefined ? later : this.take(route, body);
  }

  private async take(
    { connectorId, protocol }: IntakeRoute,
    { bytes, isWhole }: Body,
  ): Promise<Answer> {
    const reading: Reading = isWhole ? protocol.read(bytes) : protocol.readTooLong(bytes);
    if (reading.kind === "early") return later;
    if (reading.kind === "unreadable") {
      this.refusals.add(isWhole ? "not readable" : "too long", connectorId);
      return wrong(isWhole ? 400 : 413, reading.reason);
    }
    switch (await this.options.take(connectorId, reading.updates)) {
      case "taken":
        return protocol.thanks === "" ? { status: 200 } : good(protocol.thanks);
      case "busy":
        return later;
      case "refused":
        this.refusals.add("not taken", connectorId);
        if (protocol.repeatsForEver) return { status: 200 };
        return wrong(422, "The message cannot be taken.");
    }
  }

  private refuse(status: number, reason: string, route?: IntakeRoute): Answer {
    this.refusals.add(reason, route?.connectorId);
    return { status };
  }

  /** Nobody reads on where a body is long, or does not say how long it is. */
  private send(
    request: IncomingMessage,
    response: ServerResponse,
    { status, body = "", headers = {} }: Answer,
  ): void {
    const isShort = Number(request.headers["content-length"] ?? Infinity) <= most.bodyBytes;
    const isOver = this.isClosing || !(request.complete || isShort);
    response.writeHead(status, {
      ...headers,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      ...(isOver ? { connection: "close" } : {}),
    });
    response.end(body);
  }
}

const later: Answer = { status: 503, headers: { "retry-after": String(retryAfterSeconds) } };

function good(body: string): Answer {
  return { status: 200, body, headers: { "content-type": json } };
}

function wrong(status: number, reason: string): Answer {
  return {
    status,
    body: `${JSON.stringify({ error: reason })}\n`,
    headers: { "content-type": json },
  };
}

type Body = Awaited<ReturnType<typeof readBounded>>;

/** Undefined where the caller has gone before its end. */
async function bodyOf(request: IncomingMessage): Promise<Body | undefined> {
  const stays: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false });
  try {
    return await readBounded(stays, most.bodyBytes);
  } catch {
    return undefined;
  }
}
