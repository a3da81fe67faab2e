import { Option } from "commander";
import type { Method, Results } from "../../schema/socket/protocol.ts";
import type { ShownSchedule } from "../../schema/shown/shown-schedules.ts";
import { barred, shorten, shown } from "../../text/shown.ts";
import { age, moment, until } from "../../text/times.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { waitUntil } from "../lifecycle/wait-until.ts";
import { howToDecide } from "../output/how-to-decide.ts";
import { facts, table } from "../output/table.ts";
import { reading } from "../reading.ts";

const list = defineCommand({
  usage: "list",
  summary: "what is done at set times, what is due next first: by whom, what, and how it went last",
  example: "schedule list",
  offline: "file",
  async work(context) {
    const rows = await reading(context, ({ call }) => call("schedules.list", {}));
    const { now, width } = context;
    const text = table(
      rows,
      [
        { title: "ID", cell: ({ id }) => id },
        { title: "SOURCE", cell: ({ source }) => source },
        { title: "WHEN", cell: ({ cron, timezone }) => `${cron} ${timezone}` },
        { title: "WHAT", cell: (row) => shorten(whatItDoes(row), 60) },
        { title: "STATE", cell: stateWord },
        { title: "NEXT IN", cell: ({ next_at }) => (next_at === null ? "-" : until(next_at, now)) },
        { title: "LAST", cell: ({ last_outcome }) => last_outcome },
        { title: "AGO", cell: ({ last_run_at }) => age(last_run_at, now) },
        { title: "FAILED", cell: ({ failures }) => failures },
      ],
      { empty: "No schedules: config/schedules.yaml brings them (docs/schedules.md).", width },
    );
    return { data: rows, text };
  },
});

const show = defineCommand<[id: string]>({
  usage: "show <id>",
  summary: "one schedule: what it does, where, when next, how it went",
  example: "schedule show consolidate",
  offline: "file",
  exits: [exitCodes.notFound],
  async work(context, [id]) {
    const found = await reading(context, ({ call }) => call("schedules.show", { id }));
    return { data: found, text: scheduleText(found, context.width) };
  },
});

const run = defineCommand<[id: string], { readonly wait?: true }>({
  usage: "run <id>",
  summary: "do it now, once, also while it is paused; when it is due stays as it is",
  example: "schedule run consolidate --wait",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain, exitCodes.interrupted],
  options: [new Option("--wait", "until it has ended; exits with 1 where it failed")],
  async work(context, [id], { wait }) {
    const ended = await asking(context, async ({ call }) => {
      const begun = await call("schedules.run", { id });
      if (wait !== true || !isWorking(begun)) return begun;
      const tell = tellingQuestions(context);
      const over = await waitUntil(async () => {
        const now = await call("schedules.show", { id });
        tell(now);
        return isWorking(now) ? undefined : now;
      }, Number.POSITIVE_INFINITY);
      return over ?? begun;
    });
    return isWorking(ended)
      ? { data: ended, text: `${shown(id)} runs.` }
      : { data: ended, text: endText(ended), exitCode: exitCodeFor(ended) };
  },
});

const isWorking = ({ state }: ShownSchedule) => state === "due" || state === "running";

/** Each question once. */
function tellingQuestions({ note }: CommandContext): (found: ShownSchedule) => void {
  const asked = new Set<string>();
  return ({ waiting_for }) => {
    for (const question of waiting_for.filter(({ id }) => !asked.has(id))) {
      asked.add(question.id);
      note(howToDecide(question));
    }
  };
}

function endText({ id, last_outcome, last_detail, last_run_id }: ShownSchedule): string {
  const detail = last_detail === null ? "" : `: ${shown(last_detail)}`;
  const run_id = last_run_id === null ? "" : ` (\`statehive runs show ${shown(last_run_id)}\`)`;
  return `${shown(id)}: ${(last_outcome ?? "ended").replaceAll("_", " ")}${detail}${run_id}`;
}

function exitCodeFor({ last_outcome, failures }: ShownSchedule): number {
  if (last_outcome === "cancelled") return exitCodes.interrupted;
  return failures > 0 ? exitCodes.failed : exitCodes.ok;
}

const telling = [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain];

const pause = defineCommand<[id: string]>({
  usage: "pause <id>",
  summary: "do it no more until it is resumed, also after a restart; what works goes on to its end",
  example: "schedule pause consolidate",
  exits: telling,
  work: async (context, [id]) =>
    told(await asking(context, ({ call }) => call("schedules.pause", { id }))),
});

const resume = defineCommand<[id: string]>({
  usage: "resume <id>",
  summary: "do it again when it is due, counted from now",
  example: "schedule resume consolidate",
  exits: telling,
  work: async (context, [id]) =>
    told(await asking(context, ({ call }) => call("schedules.resume", { id }))),
});

const remove = defineCommand<[id: string]>({
  usage: "remove <id>",
  summary: "end one that an agent has made; those of config/schedules.yaml go when they go there",
  example: "schedule remove main.3f9a2c1b",
  exits: telling,
  async work(context, [id]) {
    const data = await asking(context, ({ call }) => call("schedules.remove", { id }));
    const text =
      data.state === "removed"
        ? `${shown(id)} is removed.`
        : `${shown(id)} goes when what works has ended.`;
    return { data, text };
  },
});

function told(data: Results[Extract<Method, "schedules.pause">]) {
  const next = data.next_at === null ? "" : `, next at ${moment(data.next_at)}`;
  return { data, text: `${shown(data.id)} is ${shown(stateWord(data))}${next}.` };
}

function whatItDoes({ command, agent_id, task }: ShownSchedule): string {
  return command ?? `${agent_id ?? ""}: ${task ?? ""}`;
}

function scheduleText(found: ShownSchedule, width: number | undefined): string {
  const { id, source, cron, timezone, agent_id, command, task, deliver } = found;
  const { next_at, last_run_at, last_outcome, last_run_id, missed_at, error } = found;
  const rows: [string, string][] = [
    ["state", shown(stateWord(found))],
    ["made by", source],
    ["when", shown(`${cron} (${timezone})`)],
    ["does", command ?? `tells ${shown(agent_id ?? "")}`],
    ["answer to", deliver === null ? "-" : shown(`${deliver.scope} at ${deliver.connector}`)],
    ["next", time(next_at)],
    ["last", last_run_at === null ? "-" : `${time(last_run_at)}, ${shown(endWord(last_outcome))}`],
    ["its run", shown(last_run_id ?? "-")],
    ["missed last", time(missed_at)],
    ["times", `${found.runs}, ${found.skipped} skipped, ${found.failures} failed in a row`],
    ["error", error === null ? "-" : `${error.code}: ${shown(error.message)}`],
  ];
  const text = task === null ? [] : barred(task, "  ", width);
  const questions = found.waiting_for.map(howToDecide);
  return [`schedule ${shown(id)}`, facts(rows, width), ...text, ...questions].join("\n");
}

function stateWord(found: ShownSchedule): string {
  const { state, waiting_for, afterwards } = found;
  const waits = waiting_for.length === 0 ? "" : ", waits for you";
  const then = isWorking(found) && afterwards !== "waiting" ? `, then ${afterwards}` : "";
  return `${state}${waits}${then}`;
}

const time = (at: string | null) => (at === null ? "-" : moment(at));

const endWord = (outcome: string | null) => (outcome ?? "not ended").replaceAll("_", " ");

export const schedule: Group = {
  usage: "schedule",
  summary: "what is done at set times: list, show, run, pause, resume, remove",
  example: "schedule list",
  children: [list, show, run, pause, resume, remove],
};
