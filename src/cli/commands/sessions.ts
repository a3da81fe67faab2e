import type { Results } from "../../schema/socket/protocol.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { messageLines } from "../output/message-lines.ts";
import { shown } from "../../text/shown.ts";
import { spent } from "../../text/amounts.ts";
import { facts, table } from "../output/table.ts";
import { age, moment } from "../../text/times.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";

const list = defineCommand<[], Limited>({
  usage: "list",
  summary: "the conversations, the last used first",
  example: "sessions list",
  offline: "file",
  options: [limitOption(20)],
  async work(context, _args, { limit }) {
    const rows = await reading(context, ({ call }) => call("sessions.list", { limit }));
    const { now, width } = context;
    const text = table(
      rows,
      [
        { title: "ID", cell: ({ session_id }) => session_id },
        { title: "STATE", cell: ({ state }) => state },
        { title: "NAME", cell: ({ label }) => label },
        { title: "AGENT", cell: ({ agent_id }) => agent_id },
        { title: "LAST USED", cell: ({ last_at }) => age(last_at, now) },
        { title: "KEY", cell: ({ key }) => key },
      ],
      { empty: "No sessions yet.", width },
    );
    return { data: rows, text };
  },
});

const show = defineCommand<[id: string], Limited>({
  usage: "show <id>",
  summary: "one conversation by id or key, with its newest messages",
  example: "sessions show s3 --limit 10",
  offline: "file",
  exits: [exitCodes.notFound],
  options: [limitOption(40)],
  async work(context, [id], { limit }) {
    const found = await reading(context, ({ call }) => call("sessions.show", { id, limit }));
    return { data: found, text: sessionText(found) };
  },
});

const compact = defineCommand<[id: string]>({
  usage: "compact <id>",
  summary: "have a conversation's model sum up now what was said before the newest exchange",
  example: "sessions compact s3",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  async work(context, [id]) {
    const sent = await asking(context, ({ call }) => call("sessions.compact", { id }));
    const text = sent.state?.startsWith("compacting")
      ? `The session ${shown(id)} is being summed up: \`statehive sessions show ${shown(id)}\` tells when it is done.`
      : `There is nothing to sum up in ${shown(id)}, or its model does not do that.`;
    return { data: sent, text };
  },
});

const reset = defineCommand<[id: string]>({
  usage: "reset <id>",
  summary:
    "close a conversation: its run is cancelled, its grants end, the next message begins a new one",
  example: "sessions reset s3",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  async work(context, [id]) {
    const sent = await asking(context, ({ call }) => call("sessions.reset", { id }));
    return { data: sent, text: `The session ${shown(id)} is ${shown(sent.state)}.` };
  },
});

export const sessions: Group = {
  usage: "sessions",
  summary: "the conversations: list, show, sum up, reset",
  example: "sessions list",
  children: [list, show, compact, reset],
};

function sessionText(found: Results["sessions.show"]): string {
  const rows: [string, string][] = [
    ["key", shown(found.key)],
    ["state", shown(found.state)],
    ["agent", shown(found.agent_id)],
    ["began", `${moment(found.created_at)}${forkedText(found)}`],
    ["last used", moment(found.last_at)],
    ["used", spent(found.usage)],
    ...shortenedRows(found),
  ];
  return [
    `session ${shown(found.session_id)}`,
    facts(rows),
    ...found.messages.flatMap(messageLines),
  ].join("\n");
}

function shortenedRows({ shortened }: Results["sessions.show"]): [string, string][] {
  if (shortened === null) return [];
  const { shown_since: since, is_whole } = shortened;
  const begins = since === null ? "its next message" : moment(since);
  const before = is_whole ? "summed up: --json shows the summary" : "left out";
  return [["model sees", `from ${begins} on; what was said before is ${before}`]];
}

function forkedText({ forked_from }: Results["sessions.show"]): string {
  if (forked_from === null) return "";
  return `, forked from ${shown(forked_from.run_id)} at ${forked_from.at}`;
}
