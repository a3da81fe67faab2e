import { AgentError } from "../../schema/errors.ts";
import { LibsqlConnection } from "../libsql/libsql-connection.ts";
import { primaryCode } from "../libsql/libsql-errors.ts";
import { ensurePrivateFile } from "../libsql/libsql-file.ts";

export type OwnerLock = { release(): Promise<void> };

const busy = 5;

/** Takes the lock that one process at a time can hold, at once or not at all. The kernel frees it when the process ends,
 *  however it ends. Nothing else in this process may open the file: closing it would free the lock on POSIX systems.
 *  @throws AgentError `engine.in_use`, `home.invalid` */
export async function acquireOwnerLock(path: string): Promise<OwnerLock> {
  const connection = openLock(path);
  try {
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    throw refusal(path, error);
  }
  return {
    release: async () => {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      connection.close();
    },
  };
}

function openLock(path: string): LibsqlConnection {
  try {
    ensurePrivateFile(path);
    return new LibsqlConnection(path, 0);
  } catch (error) {
    throw refusal(path, error);
  }
}

function refusal(path: string, error: unknown): AgentError {
  const cause = error instanceof AgentError ? error.cause : error;
  if (primaryCode(cause) === busy) {
    return new AgentError("engine.in_use", `another process holds ${path}`, {
      hint: "one service owns a home; `statehive status` shows it, `statehive stop` ends it",
      cause,
    });
  }
  return new AgentError("home.invalid", `the lock ${path} cannot be taken: ${String(cause)}`, {
    cause,
  });
}
