import { randomUUID } from "node:crypto";
import { Option } from "commander";
import { chatOnce } from "../chat/chat-once.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { barred, shorten, shown } from "../../text/shown.ts";
import { facts, table } from "../output/table.ts";
import { age, moment } from "../../text/times.ts";
import { reading } from "../reading.ts";
import { type Bounded, boundaryOption } from "./boundary-option.ts";
import { approveOption, notEmpty } from "./chat.ts";
import { type Limited, limitOption } from "./limit-option.ts";
import { runTable } from "./runs.ts";

type Running = Bounded & { readonly session?: string; readonly approve?: "once" | "deny" };

const run = defineCommand<[agent: string, text: string], Running>({
  usage: "run <agent> <text>",
  summary: "give an agent a task in a conversation of its own, and follow it to its end",
  example: "task run main 'tidy the notes' --boundary 'fs.read:**' 'fs.write:notes/**'",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain, exitCodes.interrupted],
  options: [
    boundaryOption(),
    new Option("-s, --session <name>", "a name for the conversation (default: a new one)"),
    approveOption(),
  ],
  work: async (context, [agent, text], { session = newName(), ...options }) =>
    chatOnce(context, { ...options, agent, session, text: notEmpty(text) }),
});

const newName = () => `task-${randomUUID().slice(0, 8)}`;

const list = defineCommand<[], Limited>({
  usage: "list",
  summary: "what people wanted, newest first",
  example: "task list",
  offline: "file",
  options: [limitOption(20)],
  async work(context, _args, { limit }) {
    const rows = await reading(context, ({ call }) => call("tasks.list", { limit }));
    const { now, width } = context;
    const text = table(
      rows,
      [
        { title: "ID", cell: ({ task_id }) => task_id },
        { title: "STATE", cell: ({ state }) => state },
        { title: "AGENT", cell: ({ agent_id }) => agent_id },
        { title: "AGE", cell: ({ created_at }) => age(created_at, now) },
        { title: "SESSION", cell: ({ session_id }) => session_id },
        { title: "TEXT", cell: (row) => shorten(row.text, 80) },
      ],
      { empty: "No tasks yet.", width },
    );
    return { data: rows, text };
  },
});

const show = defineCommand<[id: string]>({
  usage: "show <id>",
  summary: "one task: what was wanted, what it may do, its runs",
  example: "task show t7",
  offline: "file",
  exits: [exitCodes.notFound],
  async work(context, [id]) {
    const found = await reading(context, ({ call }) => call("tasks.show", { id }));
    const ended = found.ended_at === null ? "" : `, ended ${moment(found.ended_at)}`;
    const rows: [string, string][] = [
      ["state", shown(found.state)],
      ["began", `${moment(found.created_at)}${ended}`],
      ["agent", shown(found.agent_id)],
      ["session", shown(found.session_id)],
      ["trace", shown(found.trace_id)],
      ["may at most", shown(found.boundary.join(", "))],
    ];
    const text = [`task ${shown(found.task_id)}`, facts(rows), ...barred(found.text, "  ")];
    return { data: found, text: [...text, runTable(found.runs, context)].join("\n") };
  },
});

const cancel = defineCommand<[id: string]>({
  usage: "cancel <id>",
  summary: "stop everything that is done for a task",
  example: "task cancel t7",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  async work(context, [id]) {
    const sent = await asking(context, ({ call }) => call("tasks.cancel", { id }));
    return { data: sent, text: `The run of task ${shown(id)} is ${shown(sent.state)}.` };
  },
});

export const task: Group = {
  usage: "task",
  summary: "what people want: run, list, show, cancel",
  example: "task list",
  children: [run, list, show, cancel],
};
