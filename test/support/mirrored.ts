import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openReadOnly } from "../../src/adapters/engine/open-read-only.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { messageTable } from "../../src/schema/rows/session-rows.ts";

/** What the files of sessions say, and what the rows do, as `session position`, once no service writes them any more. */
export async function mirrored(home: string): Promise<{ files: string[]; rows: string[] }> {
  const directory = join(home, "sessions");
  const names = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));
  const files = names.flatMap((name) => {
    const id = name.slice(0, -".jsonl".length);
    const lines = readFileSync(join(directory, name), "utf8").trimEnd().split("\n");
    return lines.map((line) => {
      const { position = "heading" } = JSON.parse(line) as { position?: number };
      return `${id} ${position}`;
    });
  });
  const url = `file:${join(home, "data", "statehive.db")}`;
  const { committed, close } = await openReadOnly({ url, tables: allTables });
  const messages = await committed.select(messageTable, { index: "key" });
  await close();
  const headings = new Set(messages.map(({ session_id }) => `${session_id} heading`));
  const rows = [...headings, ...messages.map((row) => `${row.session_id} ${row.position}`)];
  return { files: files.toSorted(), rows: rows.toSorted() };
}
