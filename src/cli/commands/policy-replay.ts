import { Option } from "commander";
import type { ReplayedCall } from "../../app/tools/policy-dry-run.ts";
import type { AgentConfig } from "../../schema/config.ts";
import { defineCommand } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { validated } from "../lifecycle/checked-config.ts";
import { shorten, shown } from "../output/shown.ts";
import { table } from "../output/table.ts";
import { moment } from "../output/times.ts";
import { openRecordSource, type RecordSource } from "../reading.ts";
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
    const source = await openRecordSource(context);
    try {
      const agent = await changedAgent(context, policy);
      const { judged, calls } = await replay(source, { agent, since });
      const told = all ? calls : calls.filter(isChanged);
      const data = { agent: agent.id, judged, calls: told };
      return { data, text: textOf(context, judged, told) };
    } finally {
      await source.close();
    }
  },
});

type Past = { readonly agent: AgentConfig; readonly since: string | undefined };

async function replay(source: RecordSource, { agent, since }: Past) {
  const { judgeAgain } = await import("../../app/tools/policy-dry-run.ts");
  const filter = { agent: agent.id, ...(since === undefined ? {} : { after: since }) };
  const calls: ReplayedCall[] = [];
  for await (const rows of auditPages(source, filter))
    calls.push(...rows.flatMap((row) => judgeAgain(agent, row) ?? []));
  return { judged: calls.length, calls };
}

function isChanged({ was, becomes }: ReplayedCall): boolean {
  return was !== becomes;
}

async function changedAgent(context: CommandContext, path: string): Promise<AgentConfig> {
  const { loadWithAgent } = await import("../../config/changed-agent.ts");
  const { agentId, result } = loadWithAgent(context.home, context.terminal.env, path);
  const { agents } = validated(result).config;
  return agents.find(({ id }) => id === agentId) as AgentConfig;
}

function textOf(context: CommandContext, judged: number, calls: readonly ReplayedCall[]): string {
  const changed = calls.filter(isChanged).length;
  const sum = `${judged} calls judged, ${changed} would end differently.`;
  if (calls.length === 0) return sum;
  const rows = table(
    calls,
    [
      { title: "N", cell: ({ n }) => n },
      { title: "AT (UTC)", cell: ({ at }) => moment(at) },
      { title: "TOOL", cell: ({ tool }) => tool },
      { title: "WAS", cell: ({ was }) => was },
      { title: "BECOMES", cell: ({ becomes }) => becomes },
      { title: "BECAUSE", cell: ({ reason }) => reason },
      { title: "INPUT", cell: ({ input }) => shorten(shown(input), 60) },
    ],
    { empty: "", width: context.width },
  );
  return `${rows}\n${sum}`;
}
