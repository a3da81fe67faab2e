import { Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import type { ParamsOf, ShownApproval } from "../../schema/socket/protocol.ts";
import { approvalText } from "../chat/approval-text.ts";
import { callsOf, decidedText, type Together } from "../../client/chat/together.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { confirm } from "../output/confirm.ts";
import type { Answer } from "../output/print-answer.ts";
import { shown } from "../../text/shown.ts";
import { reading } from "../reading.ts";
import { isInteractive } from "../terminal.ts";

/** The calls of one step that wait, shown and decided as a whole; and which one is meant where several wait. */

export const stepOption = () =>
  new Option("--step <step>", "instead of an id: all calls of this step that wait, as a whole");

export const bindingOption = () =>
  new Option("--binding <hash>", "of what was shown: anything else is refused");

export async function showStep(context: CommandContext, step: string): Promise<Answer> {
  const together = await reading(context, ({ call }) => call("approvals.step", { step }));
  return { data: together, text: [...wholeText(together, context), nextLine(together)].join("\n") };
}

export type StepDecision = Omit<ParamsOf<"approvals.decide_step">, "step" | "binding">;

/** @param binding as it was shown; without it, a person at a terminal is shown them and asked */
export async function decideStep(
  context: CommandContext,
  { step, binding }: { readonly step: string; readonly binding?: string | undefined },
  decision: StepDecision,
): Promise<Answer> {
  const seen = binding ?? (await seenBinding(context, step, decision));
  const data = await asking(context, ({ call }) =>
    call("approvals.decide_step", { step, binding: seen, ...decision }),
  );
  const text = decidedText(data).map((line) => (line.endsWith(".") ? line : `${line}.`));
  return {
    data,
    text: text.join("\n"),
    ...(data.failed.length === 0 ? {} : { exitCode: exitCodes.failed }),
  };
}

/** To refuse what was not looked at is safe; to allow it is not. */
async function seenBinding(
  context: CommandContext,
  step: string,
  { decision, scope = "once" }: StepDecision,
): Promise<string> {
  const together = await asking(context, ({ call }) => call("approvals.step", { step }));
  const { approvals, binding, too_long } = together;
  if (approvals.length === 0) throw noneWaits(step);
  if (decision === "deny" || too_long) return binding;
  const hint = `\`statehive approvals show --step ${shown(step)}\` shows them, and how to allow them`;
  const { terminal, json } = context;
  if (json || !isInteractive(terminal))
    throw new AgentError("usage", "Only what was shown can be allowed together.", { hint });
  terminal.stdout.write(`${wholeText(together, context).join("\n")}\n`);
  const reach = scope === "once" ? "once" : `for the ${scope}`;
  if (await confirm(terminal, `Allow ${calls(approvals.length)}, ${reach}? [y/N] `)) return binding;
  throw new AgentError("usage", "Nothing was decided.", { hint });
}

function noneWaits(step: string): AgentError {
  return new AgentError("approval.not_found", `No call of ${step} waits.`, {
    hint: "`statehive approvals list` shows what does",
  });
}

function wholeText({ step_id, approvals }: Together, context: CommandContext): string[] {
  const title = `${calls(approvals.length)} of ${shown(step_id)} ${approvals.length === 1 ? "waits" : "wait"}`;
  return [title, ...approvals.map((approval) => approvalText(approval, context))];
}

function nextLine({ approvals, step_id, binding, too_long }: Together): string {
  if (approvals.length === 0) return "Nothing is left to decide.";
  if (too_long) return "Too long together to be allowed at once: decide them one by one.";
  return `To allow all of it: \`statehive approvals allow --step ${shown(step_id)} --binding ${shown(binding)}\``;
}

function calls(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`;
}

/** A line for each step of which several calls wait. */
export function togetherLines(open: readonly ShownApproval[]): string[] {
  const pending = open.filter(({ state }) => state === "pending");
  return [...new Set(pending.map(({ step_id }) => step_id))].flatMap((step) => {
    const count = callsOf(pending, step).length;
    if (count < 2) return [];
    const command = `\`statehive approvals show --step ${shown(step)}\``;
    return [`${calls(count)} of ${shown(step)} wait together: ${command}`];
  });
}

/** What is meant: one, or all of a step. @throws AgentError usage: neither or both; it says what waits */
export async function meant(
  context: CommandContext,
  { id, step }: { readonly id: string | undefined; readonly step: string | undefined },
  choose: { one(id: string): Promise<Answer>; all(step: string): Promise<Answer> },
): Promise<Answer> {
  if (id !== undefined && step === undefined) return choose.one(id);
  if (id === undefined && step !== undefined) return choose.all(step);
  const what = id === undefined ? "Say which: an id, or --step" : "Say an id or --step, not both";
  throw new AgentError("usage", `${what}.`, { hint: await waitingHint(context) });
}

/** The line is wrong, whether or not the service can say what waits. */
async function waitingHint(context: CommandContext): Promise<string> {
  try {
    const open = await asking(context, ({ call }) => call("approvals.list", {}));
    const ids = open.map(({ id }) => shown(id)).join(", ");
    return open.length === 0 ? "nothing waits now" : `these wait: ${ids}`;
  } catch {
    return "`statehive approvals list` shows what waits";
  }
}
