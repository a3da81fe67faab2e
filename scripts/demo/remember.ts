import type { Connection } from "../../src/client/connection.ts";
import { ended, isWaiting, pause } from "./follow-run.ts";
import { say } from "./say.ts";

/** A memory that is written, and found again in another conversation. */
export async function rememberAndFind(connection: Connection): Promise<void> {
  await talk(connection, "remember that the milk is for Anna's birthday cake", "first");
  const [hit] = await connection.call("memory.search", { query: "who is the cake for" });
  if (hit === undefined) throw new Error("What was remembered is not found.");
  say(`Memory, ${hit.path}:${hit.line_start}: ${hit.text.trim()}`);
  await talk(connection, "what do you remember about the cake?", "second");
}

async function talk(connection: Connection, text: string, session: string): Promise<void> {
  say(`You, in the conversation ${session}: ${text}`);
  const sent = await connection.call("chat.send", { chat: session, text, session });
  for (;;) {
    const run = await ended(connection, sent.session_id);
    if (run !== undefined) return say(`Agent: ${run.reply ?? ""}`);
    const asked = await isWaiting(connection);
    if (asked !== undefined) {
      await connection.call("approvals.decide", { id: asked.id, decision: "approve" });
      say(`You allowed ${asked.id}: ${asked.summary}`);
    }
    await pause();
  }
}
