import type { Verdict } from "../../policy/verdict.ts";
import type { AgentConfig } from "../../schema/config/config.ts";
import type { ShownAudit } from "../../schema/socket/protocol.ts";
import { builtInTools } from "../../tools/built-in.ts";
import { judge } from "./policy-dry-run.ts";

/** The calls of the past under changed rules. Both rules are asked without what people have granted, so that only they differ. */

type Word = Verdict["verdict"];

export type ReplayedCall = Pick<ShownAudit, "n" | "at" | "agent" | "run_id" | "tool" | "input"> & {
  readonly capabilities: readonly string[];
  /** What happened then; a call that a person had granted beforehand ran. */
  readonly was: Word;
  /** By the agent's present rules; null for an agent that is not configured. */
  readonly now: Word | null;
  readonly becomes: Word;
  readonly reason: string;
};

export type Rules = { readonly present: AgentConfig | undefined; readonly changed: AgentConfig };

/** Undefined for what the rules had no say in. */
export function judgeAgain({ present, changed }: Rules, row: ShownAudit): ReplayedCall | undefined {
  const was = verdictOf(row);
  const tool = builtInTools.find(({ name }) => name === row.tool);
  if (was === undefined || tool === undefined || row.agent !== changed.id) return undefined;
  const { n, at, agent, run_id, input, requested_capabilities: capabilities } = row;
  const call = { n, at, agent, run_id, tool: row.tool, input, capabilities };
  const now = present === undefined ? null : judge(present, { tool, capabilities }).verdict;
  const { verdict: becomes, reason } = judge(changed, { tool, capabilities });
  return { ...call, was, now, becomes, reason };
}

/** What a person decided was asked; a call that was not understood was never judged, an answer that did not count decided nothing. */
function verdictOf({ kind, status, decided_by }: ShownAudit): Word | undefined {
  if (kind !== "decision" || ["invalid", "refused", "revoked"].includes(status)) return undefined;
  if (decided_by !== "policy") return "ask";
  return status === "allowed" ? "run" : "deny";
}

export function isChanged(call: ReplayedCall): boolean {
  return call.becomes !== before(call);
}

/** What the changed rules are compared with. */
function before({ now, was }: ReplayedCall): Word {
  return now ?? was;
}

export type Change = {
  readonly from: Word;
  readonly to: Word;
  readonly calls: number;
  /** Whether more may happen unasked than before. */
  readonly is_looser: boolean;
};

export type ReplaySum = {
  readonly judged: number;
  readonly changed: number;
  /** The looser ones first. */
  readonly changes: readonly Change[];
  /** Of all calls, how often a person is asked. */
  readonly asks: { readonly from: number; readonly to: number };
};

const freedom: Readonly<Record<Word, number>> = { deny: 0, ask: 1, run: 2 };
const words: readonly Word[] = ["run", "ask", "deny"];

export function sumOf(calls: readonly ReplayedCall[]): ReplaySum {
  const changes = words
    .flatMap((to) => words.map((from) => ({ from, to })))
    .filter(({ from, to }) => from !== to)
    .map(({ from, to }) => ({
      from,
      to,
      calls: count(calls, (call) => before(call) === from && call.becomes === to),
      is_looser: freedom[to] > freedom[from],
    }))
    .filter((change) => change.calls > 0)
    .toSorted((one, other) => Number(other.is_looser) - Number(one.is_looser));
  return {
    judged: calls.length,
    changed: count(calls, isChanged),
    changes,
    asks: {
      from: count(calls, (call) => before(call) === "ask"),
      to: count(calls, ({ becomes }) => becomes === "ask"),
    },
  };
}

function count<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  return items.filter(test).length;
}

export type AlikeCalls = Pick<ReplayedCall, "tool" | "capabilities" | "becomes" | "reason"> & {
  readonly from: Word;
  readonly calls: number;
  /** The newest of them. */
  readonly last: ReplayedCall;
};

/** Calls of one tool that need the same and change alike, as one; changed ones first, then the most frequent. @param calls oldest first */
export function alike(calls: readonly ReplayedCall[]): readonly AlikeCalls[] {
  const groups = new Map<string, AlikeCalls>();
  for (const call of calls) {
    const { tool, capabilities, becomes, reason } = call;
    const from = before(call);
    const key = JSON.stringify([tool, capabilities, from, becomes, reason]);
    const sofar = groups.get(key)?.calls ?? 0;
    groups.set(key, { tool, capabilities, becomes, reason, from, calls: sofar + 1, last: call });
  }
  const isOther = ({ from, becomes }: AlikeCalls) => Number(from !== becomes);
  return [...groups.values()].toSorted(
    (one, other) => isOther(other) - isOther(one) || other.calls - one.calls,
  );
}
