import { join } from "node:path";
import { createClient } from "@libsql/client";

/** What stands in the database of a home, also while its service runs. */
export async function rowsIn<T>(home: string, sql: string): Promise<readonly T[]> {
  const client = createClient({ url: `file:${join(home, "data/statehive.db")}` });
  try {
    return (await client.execute(sql)).rows as unknown as T[];
  } finally {
    client.close();
  }
}
