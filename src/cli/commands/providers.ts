import type { ProviderTrial } from "../../app/models/provider-report.ts";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { shown } from "../../text/shown.ts";
import { table } from "../output/table.ts";

const list = defineCommand({
  usage: "list",
  summary: "who can answer, whether a key is there, which agents use whom, what auto stands for",
  example: "providers list",
  offline: "same",
  exits: [exitCodes.configInvalid],
  async work(context) {
    const configured = await checkedConfig(context);
    const { reportProviders } = await import("../../app/models/provider-report.ts");
    const report = reportProviders(configured);
    const rows = table(
      report.providers,
      [
        { title: "ID", cell: ({ id }) => id },
        { title: "TYPE", cell: ({ type }) => type },
        {
          title: "KEY",
          cell: ({ api_key, key }) => (api_key === null ? key : `${api_key} ${key}`),
        },
        { title: "MODEL", cell: ({ default_model }) => default_model },
        { title: "USED BY", cell: ({ used_by }) => used_by.join(" ") },
        { title: "BASE URL", cell: ({ base_url }) => base_url },
      ],
      { empty: "No providers.", width: context.width },
    );
    const without = report.without_model.map(
      ({ agent, message }) => `${shown(agent)} has no model: ${shown(message)}`,
    );
    const auto = `auto stands for ${report.auto === null ? "nothing" : shown(report.auto)}.`;
    return { data: report, text: [rows, auto, ...without].join("\n") };
  },
});

const test = defineCommand<[id: string | undefined]>({
  usage: "test [id]",
  summary: "ask each provider, or one, for one token; exits with 75 where trying again can help",
  example: "providers test anthropic",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain, exitCodes.configInvalid],
  async work(context, [id]) {
    const configured = await checkedConfig(context);
    const { tryProviders } = await import("../../app/models/provider-report.ts");
    const trials = await tryProviders({ ...configured, deadlineMs: context.timeoutMs }, id);
    const failed = trials.filter(
      ({ state }) => state === "fails" || (state === "not_asked" && id !== undefined),
    );
    return { data: trials, text: trials.map(trialText).join("\n"), exitCode: exitCodeFor(failed) };
  },
});

export const providers: Group = {
  usage: "providers",
  summary: "who answers for the agents: list, test",
  example: "providers list",
  children: [list, test],
};

function exitCodeFor(failed: readonly ProviderTrial[]): number {
  if (failed.length === 0) return exitCodes.ok;
  return failed.every(({ error }) => error?.retryable === true)
    ? exitCodes.tryAgain
    : exitCodes.failed;
}

function trialText({ id, model, state, latency_ms, error }: ProviderTrial): string {
  const name = model === null ? shown(id) : `${shown(id)}/${shown(model)}`;
  if (error === null) return `${name} answers (${latency_ms} ms)`;
  const verb = state === "fails" ? `fails (${latency_ms} ms)` : "was not asked";
  const hint = error.hint === undefined ? "" : `\n  ${shown(error.hint)}`;
  return `${name} ${verb}: ${error.code}: ${shown(error.message)}${hint}`;
}
