import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { LibsqlConnection, type SqlValue } from "../../src/adapters/libsql/libsql-connection.ts";
import { AgentError } from "../../src/schema/errors.ts";

/** A libSQL file behind Hrana 3 over HTTP with JSON, as far as `@libsql/client` asks: one request, one connection. */

type WireValue = { type: string; value?: string | number };
type Statement = { sql?: string | null; sql_id?: number | null; args?: WireValue[] };
type Condition =
  | { type: "ok" | "error"; step: number }
  | { type: "not"; cond: Condition }
  | { type: "and" | "or"; conds: Condition[] }
  | { type: "is_autocommit" };
type Step = { stmt: Statement; condition?: Condition | null };
type StreamRequest =
  | { type: "execute"; stmt: Statement }
  | { type: "batch"; batch: { steps: Step[] } }
  | { type: "store_sql"; sql_id: number; sql: string }
  | { type: "close_sql" | "close" };

type StepError = { message: string; code: string };

export type HranaServer = {
  readonly url: string;
  readonly requests: () => number;
  close(): Promise<void>;
};

export async function startHranaServer(file: string, token: string): Promise<HranaServer> {
  let requests = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      if (request.headers.authorization !== `Bearer ${token}`) {
        response.writeHead(401, { "content-type": "text/plain" }).end("wrong token");
      } else if (request.method === "GET") {
        response.writeHead(request.url === "/v3" ? 200 : 404).end();
      } else {
        requests += 1;
        const asked = JSON.parse(body) as { requests: StreamRequest[] };
        const results = new Stream(file).answer(asked.requests);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ baton: null, base_url: null, results }));
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

class Stream {
  private readonly connection: LibsqlConnection;
  private readonly texts = new Map<number, string>();

  constructor(file: string) {
    this.connection = new LibsqlConnection(file, 5000);
  }

  answer(requests: readonly StreamRequest[]): unknown[] {
    try {
      return requests.map((request) => this.answerOne(request));
    } finally {
      if (this.connection.inTransaction) this.connection.exec("ROLLBACK");
      this.connection.close();
    }
  }

  private answerOne(request: StreamRequest): unknown {
    switch (request.type) {
      case "store_sql":
        this.texts.set(request.sql_id, request.sql);
        return { type: "ok", response: { type: "store_sql" } };
      case "execute": {
        const { result, error } = this.execute(request.stmt);
        if (error !== undefined) return { type: "error", error };
        return { type: "ok", response: { type: "execute", result } };
      }
      case "batch":
        return { type: "ok", response: { type: "batch", result: this.batch(request.batch.steps) } };
      case "close_sql":
      case "close":
        return { type: "ok", response: { type: request.type } };
    }
  }

  private batch(steps: readonly Step[]): { step_results: unknown[]; step_errors: unknown[] } {
    const outcome: { step_results: unknown[]; step_errors: unknown[] } = {
      step_results: [],
      step_errors: [],
    };
    const holds = (condition: Condition): boolean => {
      switch (condition.type) {
        case "ok":
          return outcome.step_results[condition.step] !== null;
        case "error":
          return outcome.step_errors[condition.step] !== null;
        case "not":
          return !holds(condition.cond);
        case "and":
          return condition.conds.every(holds);
        case "or":
          return condition.conds.some(holds);
        case "is_autocommit":
          return !this.connection.inTransaction;
      }
    };
    for (const { stmt, condition } of steps) {
      const skipped = condition !== undefined && condition !== null && !holds(condition);
      const { result, error } = skipped ? {} : this.execute(stmt);
      outcome.step_results.push(result ?? null);
      outcome.step_errors.push(error ?? null);
    }
    return outcome;
  }

  private execute(stmt: Statement): { result?: unknown; error?: StepError } {
    const sql = stmt.sql ?? this.texts.get(stmt.sql_id ?? -1) ?? "";
    try {
      const statement = this.connection.prepare(sql);
      const args = (stmt.args ?? []).map(fromWire);
      const isRead = /^\s*select/i.test(sql);
      const rows = isRead ? statement.all(args) : [];
      if (!isRead) statement.run(args);
      const cols = (rows[0] ?? []).map((_, at) => ({ name: `c${at}`, decltype: null }));
      return {
        result: {
          cols,
          rows: rows.map((row) => row.map(toWire)),
          affected_row_count: 0,
          last_insert_rowid: "0",
        },
      };
    } catch (error) {
      return { error: stepError(error) };
    }
  }
}

function stepError(error: unknown): StepError {
  const cause =
    error instanceof AgentError ? (error.cause as { code?: unknown } | undefined) : undefined;
  return {
    message: String(error),
    code: typeof cause?.code === "string" ? cause.code : "SQLITE_ERROR",
  };
}

function fromWire({ type, value }: WireValue): SqlValue {
  if (type === "null" || value === undefined) return null;
  return type === "integer" ? Number(value) : value;
}

function toWire(value: SqlValue): WireValue {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "text", value };
  return Number.isInteger(value)
    ? { type: "integer", value: String(value) }
    : { type: "float", value };
}
