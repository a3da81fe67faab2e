import { AgentError } from "../../schema/errors.ts";
import type { ServiceStatus } from "../../schema/socket/protocol.ts";
import { defineCommand } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../../text/shown.ts";
import { budgetText, spent } from "../../text/amounts.ts";
import { facts } from "../output/table.ts";
import { alertLines, observedText, troubleRows } from "../output/observed-text.ts";
import { age, moment, until } from "../../text/times.ts";
import { troubleOf } from "../output/schedule-text.ts";
import { whoAnswers } from "../output/who-answers.ts";
import { stoppedError } from "./status-at-rest.ts";

export const status = defineCommand({
  usage: "status",
  summary: "one screen: what runs, what waits, what is wrong",
  example: "status --json",
  exits: [exitCodes.failed, exitCodes.tryAgain, exitCodes.configInvalid],
  async work(context) {
    const found = await asking(context, ({ call }) => call("status", {})).catch(
      async (error: unknown) => {
        throw error instanceof AgentError ? await stoppedError(context, error) : error;
      },
    );
    return { data: found, text: statusText(found, context) };
  },
});

export function statusText(
  found: ServiceStatus,
  context: Pick<CommandContext, "style" | "now"> & { readonly verbose?: boolean },
): string {
  const { style, now, verbose } = context;
  const { pid, state, version, home, started_at, degraded, agents, model } = found;
  const waiting = found.approvals === 0 ? "0" : style.yellow(String(found.approvals));
  const rows: [string, string][] = [
    ["home", shown(home)],
    ["agents", shown(agents.join(", "))],
    ["model", shown(whoAnswers(model))],
    ["sessions", String(found.sessions)],
    ["runs", String(found.runs)],
    ["approvals", found.approvals === 0 ? "0" : `${waiting} (\`statehive approvals list\`)`],
    ["today (UTC)", spent(found.today)],
    ...found.tight_budgets.map((budget): [string, string] => [
      "budget",
      style.yellow(`${shown(budget.total)}: ${budgetText(budget)}`),
    ]),
    ...scheduleRows(found, context),
    ...channelRows(found, style),
    memoryRow(found, style),
    ["queued", String(found.queued)],
    ["quarantined", badCount(found.quarantined)],
    ["dead letters", badCount(found.dead_letters)],
    ...troubleRows(found),
  ];
  const title = `statehive ${shown(version)} is ${shown(state)} (pid ${pid}, up ${age(started_at, now)})`;
  const trouble = [
    ...(degraded === null ? [] : [`  degraded: ${shown(degraded.message)}`]),
    ...(found.config_broken_since === null ? [] : [brokenConfig(found.config_broken_since)]),
  ].map((line) => style.red(line));
  const more = verbose ? observedText(found) : [];
  return [style.bold(title), ...trouble, facts(rows), ...alertLines(found, context), ...more].join(
    "\n",
  );
}

/** Nothing where nobody is reached over a channel, or all is well. */
function channelRows(
  { connectors, deliveries, pairings }: ServiceStatus,
  style: CommandContext["style"],
): [string, string][] {
  const { unknown, dead } = deliveries;
  const rows = connectors.map(({ id, state, needs }): [string, string] => [
    "connector",
    style.yellow(`${shown(id)} is ${shown(state)}: ${shown(needs)}`),
  ]);
  if (unknown + dead > 0)
    rows.push(["deliveries", `${unknown} unknown, ${dead} dead (\`statehive deliveries list\`)`]);
  if (pairings > 0) rows.push(["ask to be let in", `${pairings} (\`statehive pair list\`)`]);
  return rows;
}

/** Nothing where nothing is done at set times. */
function scheduleRows(
  { schedules: { count, next, in_need } }: ServiceStatus,
  { style, now }: Pick<CommandContext, "style" | "now">,
): [string, string][] {
  if (count === 0) return [];
  const first = next === null ? "none is due" : `next ${shown(next.id)} in ${until(next.at, now)}`;
  return [
    ["schedules", `${count}, ${first}`],
    ...in_need.map((one): [string, string] => [
      "schedule",
      style.yellow(`${troubleOf(one)} (\`statehive schedule show ${shown(one.id)}\`)`),
    ]),
  ];
}

function memoryRow(
  { memory }: ServiceStatus,
  { yellow }: CommandContext["style"],
): [string, string] {
  if (memory === null)
    return ["memory", yellow("its index cannot be read: the service makes it anew")];
  const { files, chunks, embedded, embedder, trouble } = memory;
  const size = `${files} ${files === 1 ? "file" : "files"}, ${chunks} ${chunks === 1 ? "chunk" : "chunks"}`;
  const vectors =
    embedded >= chunks ? "all with vectors" : `${embedded} of them with vectors so far`;
  const how = embedder === null ? "found by words alone" : `${vectors} (${shown(embedder)})`;
  const whole = chunks === 0 && trouble === null ? size : `${size}, ${how}`;
  return ["memory", trouble === null ? whole : yellow(`${whole}: ${shown(trouble)}`)];
}

function badCount(count: number): string {
  return count === 0 ? "0" : `${count} (\`statehive actors dead\`)`;
}

function brokenConfig(since: string): string {
  return `  configuration on disk is broken since ${moment(since)}, the last good one is at work: \`statehive config validate\``;
}
