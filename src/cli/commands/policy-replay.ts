import { Option } from "commander";
import type { AlikeCalls, ReplaySum } from "../../app/tools/policy-replay.ts";
import type { AgentConfig } from "../../schema/config/config.ts";
import { defineCommand } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig, validated } from "../lifecycle/checked-config.ts";
import { shorten, shown } from "../../text/shown.ts";
import { table } from "../output/table.ts";
import { openRecordSource } from "../reading.ts";
import { isoTime } from "./time-option.ts";
import { auditPages } from "./audit-pages.ts";

type Options = { readonly since?: string; readonly policy: string; readonly all?: boolean };

export const policyReplay = defineCommand<[], Options>({
  usage: "replay",
  summary: "judge the calls of the past by a changed agent file, before it is switched on",
  example: "policy replay --policy new-main.yaml --since 2026-01-01",
  offline: "file",
  exits: [exitCodes.configInvalid],
  options: [
    new Option("--policy <file>", "the changed file of an agent").makeOptionMandatory(),
    new Option("--since <time>", "calls from this time on (ISO 8601)").argParser(isoTime),
    new Option("--all", "also the calls of which nothing would change"),
  ],
  async work(context, _args, { since, policy, all = false }) {
    const { judgeAgain, isChanged, sumOf, alike } =
      await import("../../app/tools/policy-replay.ts");
    const source = await openRecordSource(context);
    try {
      const rules = await bothRules(context, policy);
      const agent = rules.changed.id;
      const filter = { agent, ...(since === undefined ? {} : { after: since }) };
      const judged = [];
      for await (const rows of auditPages(source, filter))
        judged.push(...rows.flatMap((row) => judgeAgain(rules, row) ?? []));
      const sum = sumOf(judged);
      const calls = all ? judged : judged.filter(isChanged);
      const text = [
        ...tableOf(context, alike(calls)),
        ...inWords(sum, rules.present !== undefined),
      ];
      return { data: { agent, ...sum, calls }, text: text.join("\n") };
    } finally {
      await source.close();
    }
  },
});

async function bothRules(context: CommandContext, path: string) {
  const { loadWithAgent } = await import("../../config/changed-agent.ts");
  const { agentId, result } = loadWithAgent(context.home, context.terminal.env, path);
  const agentIn = (agents: readonly AgentConfig[]) => agents.find(({ id }) => id === agentId);
  const changed = agentIn(validated(result).config.agents) as AgentConfig;
  return { changed, present: agentIn((await checkedConfig(context)).config.agents) };
}

/** @param isKnown whether the agent has rules now, to compare with */
export function inWords({ judged, changed, changes, asks }: ReplaySum, isKnown: boolean): string[] {
  if (judged === 0) return ["No call of this agent was judged in that time."];
  const of = `${judged} ${judged === 1 ? "call" : "calls"}`;
  if (changed === 0) return [`Nothing changes for ${of}: ${times(asks.to)}.`];
  return [
    `${changed} of ${of} would be decided differently${isKnown ? "" : " from what happened"}:`,
    ...changes.map(({ from, to, calls, is_looser }) => {
      const change = `${from} -> ${to}`.padEnd("ask -> deny".length);
      return `  ${change}  ${calls}  (${is_looser ? "looser" : "stricter"})`;
    }),
    `${times(asks.to)} instead of ${asks.from}; what people had granted is not counted.`,
  ];
}

function times(asks: number): string {
  return `a person is asked ${asks === 1 ? "once" : `${asks} times`}`;
}

function tableOf(context: CommandContext, groups: readonly AlikeCalls[]): string[] {
  if (groups.length === 0) return [];
  const rows = table(
    groups,
    [
      { title: "CALLS", cell: ({ calls }) => calls },
      { title: "TOOL", cell: ({ tool }) => tool },
      { title: "NEEDS", cell: ({ capabilities }) => capabilities.join(" ") },
      { title: "NOW", cell: ({ from }) => from },
      { title: "BECOMES", cell: ({ becomes }) => becomes },
      { title: "BECAUSE", cell: ({ reason }) => reason },
      { title: "LAST", cell: ({ last }) => `${last.n} ${shorten(shown(last.input), 60)}` },
    ],
    { empty: "", width: context.width },
  );
  return [rows, ""];
}
