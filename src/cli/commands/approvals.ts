import { Option } from "commander";
import type { Results } from "../../schema/protocol.ts";
import { approvalText } from "../chat/approval-text.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../output/shown.ts";
import { table } from "../output/table.ts";
import { age, until } from "../output/times.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";

type Decision = { readonly scope?: "once" | "session"; readonly reason?: string };

const list = defineCommand<[], Limited & { all?: boolean }>({
  usage: "list",
  summary: "what waits for a person",
  example: "approvals list",
  offline: "file",
  options: [new Option("--all", "decided ones too, newest first"), limitOption(100)],
  async work(context, _args, { all = false, limit }) {
    const rows = await reading(context, ({ call }) => call("approvals.list", { all, limit }));
    const { now, width } = context;
    const text = table(
      rows,
      [
        { title: "ID", cell: ({ id }) => id },
        { title: "KIND", cell: ({ kind }) => kind },
        { title: "STATE", cell: ({ state }) => state },
        { title: "RISK", cell: ({ risk }) => risk },
        { title: "AGE", cell: ({ created_at }) => age(created_at, now) },
        {
          title: "ENDS IN",
          cell: (row) => (row.state === "pending" ? until(row.expires_at, now) : null),
        },
        { title: "SUMMARY", cell: ({ summary }) => summary },
      ],
      { empty: all ? "No approvals yet." : "Nothing waits for you.", width },
    );
    return { data: rows, text };
  },
});

const show = defineCommand<[id: string]>({
  usage: "show <id>",
  summary: "everything about one: exactly what would run, and why it is asked",
  example: "approvals show a7",
  offline: "file",
  exits: [exitCodes.notFound],
  async work(context, [id]) {
    const found = await reading(context, ({ call }) => call("approvals.show", { id }));
    return { data: found, text: approvalText(found, context) };
  },
});

const reasonOption = new Option("--reason <text>", "why; the agent is told");

const allow = defineCommand<[id: string], Decision>({
  usage: "allow <id>",
  summary: "let the call run, once or for the rest of its session",
  example: "approvals allow a7 --scope session",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  options: [
    new Option("--scope <scope>", "how far it reaches")
      .choices(["once", "session"])
      .default("once"),
    reasonOption,
  ],
  async work(context, [id], { scope = "once", reason }) {
    const why = reason === undefined ? {} : { reason };
    return told(
      await asking(context, ({ call }) =>
        call("approvals.decide", { id, decision: "approve", scope, ...why }),
      ),
    );
  },
});

const deny = defineCommand<[id: string], Decision>({
  usage: "deny <id>",
  summary: "refuse the call",
  example: "approvals deny a7 --reason 'not in this folder'",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  options: [reasonOption],
  async work(context, [id], { reason }) {
    const why = reason === undefined ? {} : { reason };
    return told(
      await asking(context, ({ call }) =>
        call("approvals.decide", { id, decision: "deny", ...why }),
      ),
    );
  },
});

const answer = defineCommand<[id: string, value: string]>({
  usage: "answer <id> <value>",
  summary:
    "answer a question, say what became of a call (retry, skip or done), or whether a run goes on beyond its budget (continue or stop)",
  example: "approvals answer a7 'the blue one'",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  work: async (context, [id, value]) =>
    told(await asking(context, ({ call }) => call("approvals.answer", { id, value }))),
});

export const approvals: Group = {
  usage: "approvals",
  summary: "what waits for a person: list, show, allow, deny, answer",
  example: "approvals list",
  children: [list, show, allow, deny, answer],
};

function told(decided: Results["approvals.decide"]) {
  return { data: decided, text: `${shown(decided.id)} is ${shown(decided.state)}.` };
}
