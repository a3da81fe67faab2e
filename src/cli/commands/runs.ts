import { Option } from "commander";
import type { Results, ShownRun } from "../../schema/socket/protocol.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { auditTable } from "../output/audit-table.ts";
import { barred, shorten, shown } from "../../text/shown.ts";
import { budgetText, cost, spent, tokens } from "../../text/amounts.ts";
import { hitsText } from "../output/memory-text.ts";
import { facts, table } from "../output/table.ts";
import { age, moment } from "../../text/times.ts";
import { reading } from "../reading.ts";
import { troubleOf } from "../../text/trouble.ts";
import { type Limited, limitOption } from "./limit-option.ts";
import { fork } from "./runs-fork.ts";
import { replay } from "./runs-replay.ts";

const list = defineCommand<[], Limited>({
  usage: "list",
  summary: "the runs, newest first",
  example: "runs list --limit 5",
  offline: "file",
  options: [limitOption(20)],
  async work(context, _args, { limit }) {
    const rows = await reading(context, ({ call }) => call("runs.list", { limit }));
    return { data: rows, text: runTable(rows, context) };
  },
});

const show = defineCommand<[id: string]>({
  usage: "show <id>",
  summary: "one run: what it was reminded of, its steps, its tool calls, its reply",
  example: "runs show r7",
  offline: "file",
  exits: [exitCodes.notFound],
  async work(context, [id]) {
    const found = await reading(context, ({ call }) => call("runs.show", { id }));
    return { data: found, text: runText(found, context) };
  },
});

const cancel = defineCommand<[id: string], { readonly afterStep?: boolean }>({
  usage: "cancel <id>",
  summary: "stop a run, at once or after its present step",
  example: "runs cancel r7 --after-step",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  options: [
    new Option(
      "--after-step",
      "let the model call and the tool calls of the present step end; at once where people are waited for",
    ),
  ],
  async work(context, [id], { afterStep: after_step = false }) {
    const sent = await asking(context, ({ call }) => call("runs.cancel", { id, after_step }));
    const isGoingOn = after_step && !["cancelling", "cancelled"].includes(sent.state);
    const text = isGoingOn
      ? `The run ${shown(id)} is ${shown(sent.state)} and stops after this step.`
      : `The run ${shown(id)} is ${shown(sent.state)}.`;
    return { data: sent, text };
  },
});

export const runs: Group = {
  usage: "runs",
  summary: "the runs: list, show, cancel, replay, fork",
  example: "runs list",
  children: [list, show, cancel, replay, fork],
};

type Waiting = NonNullable<Results["runs.show"]["waits"]>;
type Looks = { readonly now: number; readonly width: number | undefined };

export function runTable(rows: readonly ShownRun[], { now, width }: Looks): string {
  return table(
    rows,
    [
      { title: "ID", cell: ({ run_id }) => run_id },
      { title: "STATE", cell: ({ state }) => state },
      { title: "AGENT", cell: ({ agent_id }) => agent_id },
      { title: "AGE", cell: ({ started_at }) => age(started_at, now) },
      { title: "TOKENS", cell: ({ usage }) => tokens(usage.input_tokens + usage.output_tokens) },
      { title: "COST", cell: ({ usage }) => cost(usage) },
      { title: "SESSION", cell: ({ session_id }) => session_id },
      { title: "TRACE", cell: ({ trace_id }) => trace_id },
      { title: "REPLY", cell: ({ reply, error }) => shorten(reply ?? error?.message ?? "", 80) },
    ],
    { empty: "No runs yet.", width },
  );
}

function waitText({ attempt, next_try_at, code }: Waiting): string {
  return `for the provider (${shown(troubleOf(code))}): attempt ${attempt} at ${moment(next_try_at)}`;
}

function trustFacts(trust: Results["runs.show"]["trust"]): [string, string][] {
  const { private: read = [], untrusted = [] } = trust ?? {};
  const known: [string, readonly string[]][] = [
    ["has read", read],
    ["tainted by", untrusted],
  ];
  return known
    .filter(([, origins]) => origins.length > 0)
    .map(([name, origins]) => [name, shown(origins.join(", "))]);
}

function recalledText({ recalled }: Results["runs.show"], screen: CommandContext): string[] {
  return recalled.length === 0 ? [] : ["recalled", hitsText(recalled, screen)];
}

function runText(found: Results["runs.show"], screen: CommandContext): string {
  const { run_id, state, agent_id, session_id, task_id, trace_id, usage, reply, error } = found;
  const ended = found.ended_at === null ? "" : `, ended ${moment(found.ended_at)}`;
  const steps = found.steps.map(({ action }) => shown(action)).join(", ");
  const rows: [string, string][] = [
    ["state", shown(state)],
    ["started", `${moment(found.started_at)}${ended}`],
    ["agent", shown(agent_id)],
    ["config", shown(found.config_hash?.slice(0, 12))],
    ["session, task", `${shown(session_id)}, ${shown(task_id)}`],
    ["trace", shown(trace_id)],
    ["used", spent(usage)],
    ...(found.retries === 0 ? [] : [["retries", String(found.retries)] satisfies [string, string]]),
    ...found.budgets.map((budget): [string, string] => [
      `budget ${budget.scope.replace("_", "'s ")}`,
      budgetText(budget),
    ]),
    ["steps", shown(steps)],
    ...(found.waits === null ? [] : [["waits", waitText(found.waits)] satisfies [string, string]]),
    ...trustFacts(found.trust),
    ...(error === null ? [] : [["error", shown(error.message)] satisfies [string, string]]),
  ];
  const audit = found.audit.length === 0 ? [] : [auditTable(found.audit, screen.width)];
  const said = reply === null ? [] : ["reply", ...barred(reply, "  ")];
  return [
    `run ${shown(run_id)}`,
    facts(rows),
    ...recalledText(found, screen),
    ...audit,
    ...said,
  ].join("\n");
}
