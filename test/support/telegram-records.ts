import { rowsIn } from "./database-rows.ts";
import type { TelegramHome } from "./telegram-home.ts";
import type { Evidence, SaidToken, ToldReply } from "./telegram-judge.ts";
import type { FakeBot } from "./telegram-server.ts";

/** What a service has written down of what it did over its bots, read beside it. */

const openWork = {
  connectors:
    "SELECT address, state FROM actors WHERE machine = 'connector' AND state <> 'polling'",
  deliveries: "SELECT delivery_id, kind, state, scope, about, error FROM deliveries WHERE open = 1",
  runs: "SELECT address FROM runs WHERE ended_at IS NULL",
  approvals: "SELECT approval_id, kind FROM approvals WHERE state = 'pending'",
  mail: "SELECT address FROM mail",
};
/** Looks in a row that found nothing. */
const looks = 4;

/** Until nothing waits any more, nor is under way. @throws with what is open still, after so long */
export async function whenQuiet(
  { home, bots }: Pick<TelegramHome, "home" | "bots">,
  longestMs = 300_000,
): Promise<void> {
  const giveUpAt = performance.now() + longestMs;
  for (let quiet = 0; quiet < looks;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const open: Record<string, readonly unknown[]> = {};
    for (const [what, sql] of Object.entries(openWork)) open[what] = await rowsIn(home, sql);
    open["updates"] = bots.flatMap(({ unconfirmed }) => unconfirmed);
    quiet = Object.values(open).every(({ length }) => length === 0) ? quiet + 1 : 0;
    if (performance.now() < giveUpAt) continue;
    throw new Error(`After ${longestMs} ms is open: ${JSON.stringify(open).slice(0, 3_000)}`);
  }
}

const repliesOf = `SELECT d.state, d.scope, d.message_ids, t.text FROM deliveries d
  JOIN runs r ON r.run_id = d.about JOIN tasks t ON t.task_id = r.task_id WHERE d.kind = 'reply'`;

type ReplyRow = Readonly<Record<"state" | "scope" | "message_ids" | "text", string>>;

async function toldReplies(home: string): Promise<ToldReply[]> {
  const rows = await rowsIn<ReplyRow>(home, repliesOf);
  return rows.map(({ state, scope, message_ids, text }) => ({
    token: /\bw\d+\b/.exec(text)?.[0] ?? "",
    state,
    chat: Number(scope.split("/")[0]),
    message_ids: (JSON.parse(message_ids) as string[]).map(Number),
  }));
}

/** All that the judge needs to know. */
export async function evidenceOf(
  home: string,
  bot: FakeBot,
  said: readonly SaidToken[],
): Promise<Evidence> {
  const offsets = bot.callsOf("getUpdates").map(({ params }) => Number(params["offset"] ?? 0));
  const confirmedBelow = offsets.reduce((most, offset) => Math.max(most, offset), 0);
  return { said, confirmedBelow, seen: bot.sent, replies: await toldReplies(home) };
}

/** What must never have happened, whatever was killed and lost. */
const neverHappens = {
  "approved more than once":
    "SELECT tool_call_id FROM audit WHERE kind = 'decision' AND status = 'approved' GROUP BY tool_call_id HAVING count(*) > 1",
  "invoked more than once":
    "SELECT tool_call_id FROM audit WHERE kind = 'invocation' GROUP BY tool_call_id HAVING count(*) > 1",
  "decided by a stranger":
    "SELECT approval_id, decided_by FROM approvals WHERE decided_by LIKE '%:9999'",
  "lost words":
    "SELECT address, reason FROM dead_letters WHERE json_extract(event, '$.type') = 'message.received'",
  "set aside": "SELECT address FROM actors WHERE status = 'quarantined'",
  "dead": "SELECT delivery_id, error FROM deliveries WHERE state = 'dead' AND error IS NOT NULL",
};

export async function faultsInRecords(home: string): Promise<string[]> {
  const found = Object.entries(neverHappens).map(async ([what, sql]) => {
    const rows = await rowsIn<object>(home, sql);
    return rows.map((row) => `${what}: ${JSON.stringify(row)}`);
  });
  return (await Promise.all(found)).flat();
}
