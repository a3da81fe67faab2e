import { Option } from "commander";
import type { Results } from "../../schema/protocol.ts";
import { approvalText } from "../chat/approval-text.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../output/shown.ts";
import { table } from "../output/table.ts";
import { age, until } from "../output/times.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";
import {
  bindingOption,
  decideStep,
  meant,
  showStep,
  stepOption,
  togetherLines,
} from "./step-approvals.ts";

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
    return { data: rows, text: [text, ...togetherLines(rows)].join("\n") };
  },
});

const show = defineCommand<[id?: string], { step?: string }>({
  usage: "show [id]",
  summary:
    "everything about one, or about all calls of a step: exactly what would run, and why it is asked",
  example: "approvals show a7",
  offline: "file",
  exits: [exitCodes.notFound],
  options: [stepOption()],
  work: (context, [id], { step }) =>
    meant(
      context,
      { id, step },
      { one: (one) => showOne(context, one), all: (all) => showStep(context, all) },
    ),
});

async function showOne(context: CommandContext, id: string) {
  const found = await reading(context, ({ call }) => call("approvals.show", { id }));
  return { data: found, text: approvalText(found, context) };
}

const reasonOption = new Option("--reason <text>", "why; the agent is told");
const deciding = [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain];

const allow = defineCommand<[id?: string], Said>({
  usage: "allow [id]",
  summary: "let a call run, once or for the rest of its session; or all calls of a step",
  example: "approvals allow a7 --scope session",
  exits: deciding,
  options: [
    new Option("--scope <scope>", "how far it reaches")
      .choices(["once", "session"])
      .default("once"),
    reasonOption,
    stepOption(),
    bindingOption(),
  ],
  work: (context, [id], said) => decide(context, { id, decision: "approve" }, said),
});

const deny = defineCommand<[id?: string], Said>({
  usage: "deny [id]",
  summary: "refuse a call, or all calls of a step",
  example: "approvals deny a7 --reason 'not in this folder'",
  exits: deciding,
  options: [reasonOption, stepOption(), bindingOption()],
  work: (context, [id], said) => decide(context, { id, decision: "deny" }, said),
});

type Said = {
  readonly scope?: "once" | "session";
  readonly reason?: string;
  readonly step?: string;
  readonly binding?: string;
};

type Decided = { readonly id: string | undefined; readonly decision: "approve" | "deny" };

function decide(context: CommandContext, { id, decision }: Decided, said: Said) {
  const { scope = "once", reason, step, binding } = said;
  const word = { decision, scope, ...(reason === undefined ? {} : { reason }) };
  const shownAs = binding === undefined ? {} : { binding };
  return meant(
    context,
    { id, step },
    {
      one: async (one) =>
        told(
          await asking(context, ({ call }) =>
            call("approvals.decide", { id: one, ...word, ...shownAs }),
          ),
        ),
      all: (all) => decideStep(context, { step: all, binding }, word),
    },
  );
}

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
