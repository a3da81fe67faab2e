import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMessages } from "../../src/prompt/history.ts";
import { shorterHistory } from "../../src/prompt/shorter-history.ts";
import type { ContentBlock } from "../../src/schema/llm.ts";
import type { Message } from "../../src/schema/rows/session-rows.ts";

type Row = Pick<Message, "role" | "content" | "run_id" | "position">;

/** What is said in a run: a word of the person, or a round of so many calls. */
type Said = { readonly user: number } | { readonly calls: number; readonly size: number };

const say = (size: number): ContentBlock => ({ type: "text", text: "x".repeat(size) });
const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "file_read", input: {} });
const result = (id: string, size: number): ContentBlock => ({
  type: "tool_result",
  tool_call_id: id,
  output: "x".repeat(size),
  is_error: false,
});

function rowsOf(runs: readonly (readonly Said[])[]): Row[] {
  const rows: Row[] = [];
  const put = (run_id: string, role: Row["role"], ...content: ContentBlock[]) =>
    rows.push({ run_id, role, content, position: (rows.length + 1) * 1000 });
  const take = (run: string, one: Said) => {
    if ("user" in one) return put(run, "user", say(one.user));
    const ids = Array.from({ length: one.calls }, (_, nth) => `c${rows.length}-${nth}`);
    put(run, "assistant", ...ids.map(call));
    for (const id of ids.toReversed()) put(run, "tool", result(id, one.size));
    return undefined;
  };
  for (const [index, said] of runs.entries()) {
    const run = `r${index}`;
    put(run, "user", say(10));
    for (const one of said) take(run, one);
    if (index < runs.length - 1) put(run, "assistant", say(20));
  }
  return rows;
}

const said = fc.oneof(
  fc.record({ user: fc.nat(50) }),
  fc.record({ calls: fc.integer({ min: 1, max: 3 }), size: fc.nat(400) }),
);
const conversations = fc.array(fc.array(said, { maxLength: 5 }), { minLength: 1, maxLength: 5 });

/** Every history that is tried, until nothing more can go. */
function triesOf(rows: readonly Row[], currentRun: string, keep: number): Row[][] {
  const tries = [[...rows]];
  let shown = { kept: [] as Row[], rows: [...rows] };
  for (;;) {
    const cut = shorterHistory(shown, currentRun, keep);
    if (cut === undefined) return tries;
    shown = {
      kept: rows.filter(({ position }) => cut.kept.includes(position)),
      rows: rows.filter(({ position }) => position >= cut.from_position),
    };
    tries.push([...shown.kept, ...shown.rows]);
  }
}

const conversation = fc.record({
  runs: conversations,
  keep: fc.double({ min: 0, max: 1, noNaN: true }),
});

function everyTry(check: (rows: Row[], currentRun: string, tries: Row[][]) => void): void {
  fc.assert(
    fc.property(conversation, ({ runs, keep }) => {
      const rows = rowsOf(runs);
      const currentRun = `r${runs.length - 1}`;
      check(rows, currentRun, triesOf(rows, currentRun, keep));
    }),
  );
}

describe("a history that is cut until nothing more can go", () => {
  it("gets smaller with each try, and comes to an end", () => {
    everyTry((_rows, _run, tries) => {
      const sizes = tries.map((rows) => rows.length);
      expect(sizes).toEqual([...new Set(sizes)].toSorted((one, other) => other - one));
    });
  });

  it("never parts a call from its result, and begins with what a person said", () => {
    everyTry((_rows, currentRun, tries) => {
      for (const rows of tries) {
        const messages = toMessages(rows, { currentRun });
        expect(messages[0]?.role).toBe("user");
        expect(JSON.stringify(messages)).not.toContain("activity.outcome_unknown");
        const blocks = messages.flatMap(({ content }) => content);
        const count = (type: string) => blocks.filter((block) => block.type === type).length;
        const inRows = rows.flatMap(({ content }) => content);
        expect(count("tool_use")).toBe(count("tool_result"));
        expect(count("tool_result")).toBe(
          inRows.filter(({ type }) => type === "tool_result").length,
        );
      }
    });
  });

  it("keeps all that the person said in the present run, and the newest round since", () => {
    everyTry((rows, currentRun, tries) => {
      const own = rows.filter(({ run_id }) => run_id === currentRun);
      const word = own.findLastIndex(({ role }) => role === "user");
      const round = own.findLastIndex(({ role }) => role === "assistant");
      const stays = own.filter(
        ({ role }, index) => role === "user" || (round > word && index >= round),
      );
      for (const tried of tries) expect(tried).toEqual(expect.arrayContaining(stays));
    });
  });

  it("ends with no more than that", () => {
    everyTry((rows, currentRun, tries) => {
      const last = tries.at(-1) ?? [];
      expect(new Set(last.map(({ run_id }) => run_id))).toEqual(new Set([currentRun]));
      const rounds = last.filter(({ role }) => role === "assistant");
      expect(rounds.length).toBeLessThanOrEqual(1);
      expect(last.length).toBeLessThanOrEqual(rows.length);
    });
  });
});

describe("how much goes at once", () => {
  const rows = rowsOf([[{ user: 1000 }], [{ user: 1000 }], [{ user: 1000 }], []]);
  const runsLeft = (keep: number) => {
    const cut = shorterHistory({ kept: [], rows }, "r3", keep);
    return rows.filter(({ position }) => position >= (cut?.from_position ?? 0)).length;
  };

  it("is what is asked for, in whole exchanges", () => {
    expect([1, 0.7, 0.5, 0.1].map(runsLeft)).toEqual([7, 7, 4, 1]);
  });
});
