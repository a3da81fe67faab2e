import { type Client, createClient, LibsqlError } from "@libsql/client";
import { AgentError } from "../../schema/errors.ts";
import type { SqlValue } from "../libsql/libsql-connection.ts";

/** A database behind `libsql:` or `https:`, in the store port's codes. */

export type RemoteStatement = { readonly sql: string; readonly args: readonly SqlValue[] };

export type RemoteDatabase = {
  /** All or nothing, in order. @returns each statement's rows
   *  @throws AgentError `store.unavailable` when it is not known whether it was done; ConflictError */
  batch(statements: readonly RemoteStatement[]): Promise<SqlValue[][][]>;
  rows(statement: RemoteStatement): Promise<SqlValue[][]>;
  close(): void;
};

/** A row broke a constraint, so nothing of the batch was done. */
export class ConflictError extends AgentError {
  constructor(cause: unknown) {
    super("internal", `a row is refused: ${String(cause)}`, { cause });
  }
}

const answerWithinMs = 20_000;

export function connectRemote(url: string, authToken: string | undefined): RemoteDatabase {
  try {
    const token = authToken === undefined ? {} : { authToken };
    return overClient(createClient({ url, ...token, timeout: 5000, fetch: fetchWithinTime }));
  } catch (error) {
    throw new AgentError("config.invalid", `the database ${url} cannot be used: ${String(error)}`, {
      cause: error,
    });
  }
}

const mutable = ({ sql, args }: RemoteStatement) => ({ sql, args: [...args] });

function overClient(client: Client): RemoteDatabase {
  return {
    batch: async (statements) => {
      try {
        const results = await client.batch(statements.map(mutable), "write");
        return results.map(({ rows }) => rows.map((row) => Array.from(row) as SqlValue[]));
      } catch (error) {
        throw remoteError(error);
      }
    },
    rows: async (statement) => {
      try {
        const { rows } = await client.execute(mutable(statement));
        return rows.map((row) => Array.from(row) as SqlValue[]);
      } catch (error) {
        throw remoteError(error);
      }
    },
    close: () => client.close(),
  };
}

function fetchWithinTime(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(answerWithinMs) });
}

const refused = [
  "SQLITE_ERROR",
  "SQLITE_MISMATCH",
  "SQLITE_TOOBIG",
  "SQLITE_RANGE",
  "SQLITE_MISUSE",
];
const damaged = ["SQLITE_CORRUPT", "SQLITE_NOTADB"];

function remoteError(thrown: unknown): AgentError {
  const code = thrown instanceof LibsqlError ? thrown.code : "";
  const message = `the database answered: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  if (code.startsWith("SQLITE_CONSTRAINT")) return new ConflictError(thrown);
  if (refused.includes(code)) return new AgentError("internal", message, { cause: thrown });
  if (damaged.includes(code)) return new AgentError("store.corrupt", message, { cause: thrown });
  return new AgentError("store.unavailable", message, { retryable: true, cause: thrown });
}
