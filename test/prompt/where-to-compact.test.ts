import fc from "fast-check";
import { expect, it } from "vitest";
import { toMessages } from "../../src/prompt/history.ts";
import { beforeNewest, whereToCompact } from "../../src/prompt/where-to-compact.ts";
import type { ContentBlock } from "../../src/schema/llm.ts";
import type { Message } from "../../src/schema/rows/session-rows.ts";

/** Where a conversation begins after each of many compactions in a row. */

type Row = Pick<Message, "role" | "content" | "run_id" | "position">;

const say = (text: string): ContentBlock => ({ type: "text", text });

/** A run: what the person says, rounds of so many calls, an answer or none. */
const runs = fc.record({
  said: fc.integer({ min: 1, max: 3 }),
  rounds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }),
  isAnswered: fc.boolean(),
});

function rowsOf(run: string, at: number, { said, rounds, isAnswered }: RunShape): Row[] {
  const rows: Row[] = [];
  const put = (role: Row["role"], ...content: ContentBlock[]) =>
    rows.push({ run_id: run, role, content, position: at + rows.length });
  for (let n = 0; n < said; n += 1) put("user", say(`${run} said ${n}`));
  for (const [round, calls] of rounds.entries()) {
    const ids = Array.from({ length: calls }, (_, nth) => `c${round}-${nth}`);
    put("assistant", ...ids.map((id) => ({ type: "tool_use" as const, id, name: "t", input: {} })));
    for (const id of ids.toReversed())
      put("tool", { type: "tool_result", tool_call_id: id, output: "x", is_error: false });
  }
  if (isAnswered) put("assistant", say(`${run} answered`));
  return rows;
}

type RunShape = {
  readonly said: number;
  readonly rounds: readonly number[];
  readonly isAnswered: boolean;
};

it("keeps every call with its result through 33 compactions in a row, and the summary first", () => {
  fc.assert(
    fc.property(
      fc.array(runs, { minLength: 33, maxLength: 33 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 200, max: 4_000 }),
      (conversation, messages, bytes) => {
        let all: Row[] = [];
        let shown: Row[] = [];
        for (const [index, shape] of conversation.entries()) {
          const added = rowsOf(`r${index}`, (index + 1) * 1000, shape);
          all = [...all, ...added];
          shown = [...shown, ...added];
          const cut = whereToCompact(shown, { messages, bytes });
          if (cut === undefined) continue;
          shown = [
            ...all.filter(({ position }) => cut.kept.includes(position)),
            ...all.filter(({ position }) => position >= cut.from_position),
          ];
          expect(shown.length).toBeLessThanOrEqual(messages);
          const next: Row = { run_id: "next", role: "user", content: [say("next")], position: 1e9 };
          const sent = toMessages([...shown, next], { currentRun: "next", summary: "S" });
          expect(JSON.stringify(sent)).not.toContain("The run ended before this call did");
          expect(sent[0]?.content[0]).toMatchObject({ text: expect.stringContaining("> S") });
          const calls = sent.flatMap(({ content }) => content.filter((b) => b.type === "tool_use"));
          const results = sent.flatMap(({ content }) =>
            content.filter((b) => b.type === "tool_result"),
          );
          expect(results).toHaveLength(calls.length);
        }
      },
    ),
    { numRuns: 60 },
  );
});

it("leaves the newest exchange where a person asks, and nothing out of a single one", () => {
  const one = rowsOf("r1", 1000, { said: 1, rounds: [1], isAnswered: true });
  const two = rowsOf("r2", 2000, { said: 2, rounds: [], isAnswered: true });
  expect(beforeNewest([...one, ...two])).toEqual({ from_position: 2000, kept: [] });
  expect(beforeNewest(one)).toBeUndefined();
});

it("keeps the ends of an exchange that is too long by itself", () => {
  const one = rowsOf("r1", 1000, { said: 1, rounds: [3, 3], isAnswered: true });
  expect(whereToCompact(one, { messages: 4, bytes: 10_000 })).toEqual({
    from_position: 1010,
    kept: [1000, 1009],
  });
});
