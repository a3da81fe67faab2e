import { sessionAddress } from "../../src/actors/session-key.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import type { JournalRow } from "../../src/engine/tables.ts";
import { noBudget } from "../../src/schema/budget.ts";
import type { Message } from "../../src/schema/rows/session-rows.ts";
import { answer, decide, journal, messages, tell } from "../actors/hive-watch.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";

/** Plays what people do, one line after the other, and writes down every step and every message. */

export type Line =
  | { readonly file: string; readonly content: string }
  | { readonly limits: { readonly [limit: string]: number } }
  | { readonly run_tokens: number }
  | { readonly say: string | readonly string[] }
  | { readonly approve: "once" | "session" }
  | { readonly deny: string }
  | { readonly answer: string }
  | { readonly cancel: "run" }
  | { readonly wait_ms: number };

export async function play(lines: readonly Line[]): Promise<string[]> {
  const hive = await hiveFor(lines);
  for (const line of lines) {
    await act(hive, line);
    await hive.engine.settled();
  }
  const said = await messages(hive);
  const lastOf = (step: JournalRow) => said.filter(({ position }) => position === step.seq * 1000);
  return (await journal(hive)).flatMap((step) => [
    JSON.stringify({ step: stepLine(step) }),
    ...lastOf(step).map((message) => JSON.stringify(messageLine(message))),
  ]);
}

function hiveFor(lines: readonly Line[]): Promise<TestHive> {
  const files = lines.flatMap((line) => ("file" in line ? [[line.file, line.content]] : []));
  const agentLimits = Object.assign(
    {},
    ...lines.map((line) => ("limits" in line ? line.limits : {})),
  );
  const run_tokens = lines.flatMap((line) => ("run_tokens" in line ? [line.run_tokens] : []))[0];
  const run = { tokens: run_tokens ?? null, usd: null };
  return createTestHive({
    agentBudget: () => ({ ...noBudget, run }),
    files: createMemoryFiles(Object.fromEntries(files) as Record<string, string>),
    agentLimits: agentLimits as Record<string, number>,
  });
}

async function act(hive: TestHive, line: Line): Promise<void> {
  if ("say" in line) await Promise.all([line.say].flat().map((words) => hive.say(words)));
  else if ("approve" in line) await decide(hive, { scope: line.approve });
  else if ("deny" in line) await decide(hive, { decision: "deny", reason: line.deny });
  else if ("answer" in line) await answer(hive, line.answer);
  else if ("cancel" in line) await tell(hive, line.cancel, `${line.cancel}.cancel`);
  else if ("wait_ms" in line) hive.clock.advance(line.wait_ms);
}

function stepLine(step: JournalRow): string {
  const address = step.address.replace(sessionAddress(place), "session");
  const { event_type, outcome, state_before, state_after } = step;
  return `${address} ${event_type} ${outcome} ${state_before ?? "new"}->${state_after ?? "none"}`;
}

function messageLine({ role, content }: Message) {
  return { role, content };
}
