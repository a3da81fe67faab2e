import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Connection } from "../client/connection.ts";
import { errnoOf } from "../schema/errno.ts";
import { AgentError } from "../schema/errors.ts";
import { type ChartPicture, type PageFile, pageFiles } from "./page-files.ts";
import { type Refusal, refusalOf } from "./request-guard.ts";
import type { ChartDefinition } from "./stream-message.ts";
import { TokenGate } from "./token-gate.ts";
import { tell, watchFor } from "./watch-stream.ts";

export type InspectorOptions = {
  /** To the service; once for each page that watches. */
  connect(): Promise<Connection>;
  /** Of the actor that is inspected with those below it; empty: all. */
  readonly address: string;
  readonly charts: readonly (ChartPicture & ChartDefinition)[];
  /** The page that speaks Stately's inspector protocol; null: it is not offered. */
  readonly hosted: string | null;
  /** The folder of the compiled program. */
  readonly built: string;
  /** 0: any that is free. */
  readonly port: number;
  /** For tests. */
  readonly headersTimeoutMs?: number;
};

export type InspectorServer = {
  /** With the token in its fragment, which no request carries. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Ends every stream, and the token with it. */
  close(): Promise<void>;
};

const most = { connections: 64, streams: 8, headerBytes: 8 * 1024 } as const;

/** Serves the inspector's page to browsers of this machine.
 *  @throws AgentError port.unavailable, internal */
export async function serveInspector(options: InspectorOptions): Promise<InspectorServer> {
  const token = randomBytes(32).toString("base64url");
  const inspector = new Inspector(options, token);
  const { headersTimeoutMs = 5_000 } = options;
  const server = createServer(
    {
      maxHeaderSize: most.headerBytes,
      headersTimeout: headersTimeoutMs,
      requestTimeout: 2 * headersTimeoutMs,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
    },
    (request, response) => inspector.answer(request, response),
  );
  server.maxConnections = most.connections;
  const port = await listening(server, options.port);
  inspector.port = port;
  return {
    url: `http://127.0.0.1:${port}/#${token}`,
    port,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new AgentError(
          "port.unavailable",
          `Port ${port} of 127.0.0.1 cannot be used: ${errnoOf(cause)}.`,
          { cause },
        ),
      );
    });
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

class Inspector {
  port = 0;
  private readonly options: InspectorOptions;
  private readonly gate: TokenGate;
  private readonly files: ReadonlyMap<string, PageFile>;
  private readonly headers: Readonly<Record<string, string>>;
  private streams = 0;

  constructor(options: InspectorOptions, token: string) {
    this.options = options;
    this.gate = new TokenGate(token, () => performance.now());
    this.files = pageFiles(options.built, options.charts);
    this.headers = headersFor(options.hosted);
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const refusal = refusalOf(request, this.port);
    const file = this.files.get(request.url ?? "");
    if (refusal !== undefined) this.refuse(response, refusal);
    else if (file !== undefined) this.send(response, file);
    else if (request.url === "/stream") this.stream(request, response);
    else this.refuse(response, { status: 404, reason: "There is nothing here." });
  }

  private send(response: ServerResponse, { type, body }: PageFile): void {
    response.writeHead(200, {
      ...this.headers,
      "content-type": type,
      "content-length": body.length,
    });
    response.end(body);
  }

  private stream(request: IncomingMessage, response: ServerResponse): void {
    const admission = this.gate.admit(request.headers.authorization);
    if (!admission.admitted) {
      const { waitMs } = admission;
      return waitMs === 0
        ? this.refuse(response, { status: 401, reason: "This token is not right." })
        : this.refuse(
            response,
            { status: 429, reason: "Too many wrong tokens." },
            { "retry-after": String(Math.ceil(waitMs / 1_000)) },
          );
    }
    if (this.streams >= most.streams) {
      return this.refuse(response, { status: 503, reason: "Too many pages watch already." });
    }
    this.watch(response);
  }

  private watch(response: ServerResponse): void {
    const { address, hosted, charts, connect } = this.options;
    this.streams += 1;
    response.on("error", () => response.destroy());
    response.writeHead(200, { ...this.headers, "content-type": "application/x-ndjson" });
    const definitions = charts.map(({ name, version, definition }) => ({
      name,
      version,
      definition,
    }));
    tell(response, { type: "hello", address, hosted, charts: definitions });
    void watchFor(response, { address, connect }).finally(() => {
      this.streams -= 1;
    });
  }

  private refuse(
    response: ServerResponse,
    { status, reason }: Refusal,
    more: Readonly<Record<string, string>> = {},
  ): void {
    const type = "text/plain; charset=utf-8";
    response.writeHead(status, {
      ...this.headers,
      ...more,
      "content-type": type,
      "connection": "close",
    });
    response.end(`${reason}\n`);
  }
}

/** The page may load its own files and, where that is offered, the one foreign page; nothing may hold the page itself. */
function headersFor(hosted: string | null): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(hosted === null ? [] : [`frame-src ${new URL(hosted).origin}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  };
}
