import type { CommittedReader } from "../../ports/store.ts";
import { historyCutTable } from "../../schema/rows/model-rows.ts";
import type { Results } from "../../schema/socket/protocol.ts";
import { messageTable } from "../../schema/rows/session-rows.ts";
import { iso } from "./shown.ts";

/** What a session's model is not shown any more, and what stands for it; null where nothing was left out. */
export async function shortenedOf(
  read: CommittedReader,
  session_id: string,
): Promise<Results["sessions.show"]["shortened"]> {
  const cut = await read.get(historyCutTable, session_id);
  if (cut === undefined) return null;
  const { from_position: from, summary, summary_until } = cut;
  const since = { index: "by_session", equals: [session_id], from, limit: 1 };
  const [first] = await read.select(messageTable, since);
  return {
    shown_since: first === undefined ? null : iso(first.at),
    summary,
    is_whole: summary !== null && summary_until >= from,
  };
}
