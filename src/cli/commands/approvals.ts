import { Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import type { Results } from "../../schema/socket/protocol.ts";
import { type DecisionScope, decisionScopes } from "../../schema/rows/permission-rows.ts";
import { approvalText } from "../chat/approval-text.ts";
import { decisionText } from "../../text/decision-text.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../../text/shown.ts";
import { table } from "../output/table.ts";
import { age, until as leftUntil } from "../../text/times.ts";
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
import { comingTime } from "./time-option.ts";

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
          cell: (row) => (row.state === "pending" ? leftUntil(row.expires_at, now) : null),
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

const deciding = [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain];

const scopeOption = () =>
  new Option(
    "--scope <scope>",
    "how far it reaches: this call, or all like it until the step, run, task or session ends",
  ).choices(decisionScopes);

const untilOption = () =>
  new Option(
    "--until <time>",
    "when it ends, if before its scope: 30m, 2h, 1d or ISO 8601; the scope is then the session",
  ).argParser(comingTime);

const reasonOption = () => new Option("--reason <text>", "why; the agent is told");

const allow = defineCommand<[id?: string], Said>({
  usage: "allow [id]",
  summary: "let a call run, and those like it as far as the scope says; or all calls of a step",
  example: "approvals allow a7 --scope session",
  exits: deciding,
  options: [
    scopeOption(),
    untilOption(),
    new Option(
      "--grant <pattern...>",
      "the directory of a proposed path, to grant instead: 'fs.write:notes/**'",
    ),
    reasonOption(),
    stepOption(),
    bindingOption(),
  ],
  work: (context, [id], said) => decide(context, { id, decision: "approve" }, said),
});

const deny = defineCommand<[id?: string], Said>({
  usage: "deny [id]",
  summary: "refuse a call, and those like it as far as the scope says; or all calls of a step",
  example: "approvals deny a7 --scope run --reason 'not in this folder'",
  exits: deciding,
  options: [scopeOption(), untilOption(), reasonOption(), stepOption(), bindingOption()],
  work: (context, [id], said) => decide(context, { id, decision: "deny" }, said),
});

type Said = {
  readonly scope?: DecisionScope;
  readonly until?: ReturnType<typeof comingTime>;
  readonly grant?: readonly string[];
  readonly reason?: string;
  readonly step?: string;
  readonly binding?: string;
};

type Decided = { readonly id: string | undefined; readonly decision: "approve" | "deny" };

/** What has an end, or names what is granted, is about more than one call. */
function decide(context: CommandContext, { id, decision }: Decided, said: Said) {
  const { until, grant, reason, step, binding } = said;
  const isLasting = until !== undefined || grant !== undefined;
  const scope = said.scope ?? (isLasting ? "session" : "once");
  const word = {
    decision,
    scope,
    ...(until === undefined ? {} : { until: until(context.now) }),
    ...(reason === undefined ? {} : { reason }),
  };
  const grants = grant === undefined ? {} : { grants: [...grant] };
  const shownAs = binding === undefined ? {} : { binding };
  return meant(
    context,
    { id, step },
    {
      one: async (one) => {
        const params = { id: one, ...word, ...grants, ...shownAs };
        const data = await asking(context, ({ call }) => call("approvals.decide", params));
        return { data, text: `${decisionText(data, scope)}.` };
      },
      all: (all) => {
        if (grant !== undefined)
          throw new AgentError("usage", "--grant is about one call, not a step.");
        return decideStep(context, { step: all, binding }, word);
      },
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

function told(decided: Results["approvals.answer"]) {
  return { data: decided, text: `${shown(decided.id)} is ${shown(decided.state)}.` };
}
