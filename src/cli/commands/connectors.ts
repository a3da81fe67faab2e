import { shown } from "../../text/shown.ts";
import { age } from "../../text/times.ts";
import type { ConnectorTrial } from "../../app/channels/connector-trial.ts";
import type { Method, Results } from "../../schema/socket/protocol.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { connectorText, standing, troubleOf } from "../output/connector-text.ts";
import { table } from "../output/table.ts";
import { reading } from "../reading.ts";

const list = defineCommand({
  usage: "list",
  summary: "the ways in from outside: how each is, who it is, what it took, what it needs",
  example: "connectors list",
  offline: "file",
  async work(context) {
    const rows = await reading(context, ({ call }) => call("connectors.list", {}));
    const { now, width, style } = context;
    const text = table(
      rows,
      [
        { title: "ID", cell: ({ id }) => id },
        { title: "TYPE", cell: ({ type }) => type },
        { title: "INTAKE", cell: ({ intake }) => intake },
        { title: "STATE", cell: standing },
        { title: "FOR", cell: ({ since }) => age(since, now) },
        { title: "ACCOUNT", cell: ({ name }) => name },
        { title: "WRITERS", cell: ({ allow_users, paired }) => allow_users + paired },
        { title: "APPROVERS", cell: ({ approvers }) => approvers },
        { title: "TAKEN", cell: ({ accepted }) => accepted },
        { title: "REFUSED", cell: ({ refused }) => refused },
        { title: "LAST UPDATE", cell: ({ last_update_at }) => age(last_update_at, now) },
        { title: "AGENTS", cell: ({ agents }) => agents.join(" ") },
      ],
      {
        empty: "No connectors: `connectors` in config/main.yaml brings them (docs/telegram.md).",
        width,
      },
    );
    const troubles = rows.flatMap((row) =>
      troubleOf(row).map((line) => style.yellow(`! ${shown(row.id)}: ${line}`)),
    );
    return { data: rows, text: [text, ...troubles].join("\n") };
  },
});

const status = defineCommand<[id: string | undefined]>({
  usage: "status [id]",
  summary: "everything about each, or one: its error and what to do, the next try, what waits",
  example: "connectors status tg_main",
  offline: "file",
  exits: [exitCodes.notFound],
  async work(context, [id]) {
    const which = id === undefined ? {} : { id };
    const found = await reading(context, ({ call }) => call("connectors.status", which));
    const texts = found.map((one) => connectorText(one, context));
    return { data: found, text: texts.length === 0 ? "No connectors." : texts.join("\n\n") };
  },
});

const test = defineCommand<[id: string | undefined]>({
  usage: "test [id]",
  summary:
    "ask each channel, or one, who the account is, disturbing nobody; exits with 75 where trying again can help",
  example: "connectors test tg_main",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain, exitCodes.configInvalid],
  async work(context, [id]) {
    const configured = await checkedConfig(context);
    const { tryConnectors } = await import("../../app/channels/connector-trial.ts");
    const trials = await tryConnectors({ ...configured, deadlineMs: context.timeoutMs }, id);
    const text = trials.length === 0 ? "No connectors." : trials.map(trialText).join("\n");
    return { data: trials, text, exitCode: exitCodeFor(trials) };
  },
});

function exitCodeFor(trials: readonly ConnectorTrial[]): number {
  const errors = trials.flatMap(({ error }) => (error === null ? [] : [error]));
  if (errors.length === 0) return exitCodes.ok;
  return errors.every(({ retryable }) => retryable) ? exitCodes.tryAgain : exitCodes.failed;
}

function trialText({ id, account, latency_ms, error }: ConnectorTrial): string {
  if (error === null) return `${shown(id)} is ${shown(account)} (${latency_ms} ms)`;
  const hint = error.hint === undefined ? "" : `\n  ${shown(error.hint)}`;
  return `${shown(id)} fails (${latency_ms} ms): ${error.code}: ${shown(error.message)}${hint}`;
}

const telling = [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain];

const start = defineCommand<[id: string]>({
  usage: "start <id>",
  summary: "receive again, now: after a stop, or once a refused token was set right",
  example: "connectors start tg_main",
  exits: telling,
  work: async (context, [id]) =>
    told(await asking(context, ({ call }) => call("connectors.start", { id }))),
});

const stop = defineCommand<[id: string]>({
  usage: "stop <id>",
  summary: "receive nothing any more, also after a restart; what is to be sent is still sent",
  example: "connectors stop tg_main",
  exits: telling,
  work: async (context, [id]) =>
    told(await asking(context, ({ call }) => call("connectors.stop", { id }))),
});

function told(data: Results[Extract<Method, "connectors.start">]) {
  return { data, text: `${shown(data.id)} is ${shown(data.state)}.` };
}

export const connectors: Group = {
  usage: "connectors",
  summary: "the ways in from outside: list, status, test, start, stop",
  example: "connectors list",
  children: [list, status, test, start, stop],
};
