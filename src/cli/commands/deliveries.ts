import { Option } from "commander";
import { deliveryStates, type DeliveryState } from "../../schema/rows/channel-rows.ts";
import type { ShownDelivery, ShownDeliveryDetails } from "../../schema/shown/shown-channels.ts";
import { barred, shown } from "../../text/shown.ts";
import { age, moment } from "../../text/times.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { facts, table } from "../output/table.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";

type Filter = Limited & { readonly state?: DeliveryState; readonly connector?: string };

const list = defineCommand<[], Filter>({
  usage: "list",
  summary:
    "messages to people: first those that may not have arrived or did not, then those on their way",
  example: "deliveries list --state unknown",
  offline: "file",
  options: [
    new Option("--state <state>", "in this state alone").choices(deliveryStates),
    new Option("--connector <id>", "of this connector alone"),
    limitOption(50),
  ],
  async work(context, _args, { state, connector, limit }) {
    const which = {
      limit,
      ...(state === undefined ? {} : { state }),
      ...(connector === undefined ? {} : { connector }),
    };
    const rows = await reading(context, ({ call }) => call("deliveries.list", which));
    const { now, width } = context;
    const text = table(
      rows,
      [
        { title: "ID", cell: ({ id }) => id },
        { title: "STATE", cell: stateOf },
        { title: "KIND", cell: ({ kind }) => kind },
        { title: "OF", cell: ({ about }) => about },
        { title: "CONNECTOR", cell: ({ connector_id }) => connector_id },
        { title: "CONVERSATION", cell: ({ scope }) => scope },
        { title: "AGE", cell: ({ created_at }) => age(created_at, now) },
        { title: "ERROR", cell: ({ error }) => error?.message },
      ],
      { empty: "No deliveries.", width },
    );
    return { data: rows, text };
  },
});

const show = defineCommand<[id: string]>({
  usage: "show <id>",
  summary: "one message to people: what it says, how far it came, what went wrong",
  example: "deliveries show d12",
  offline: "file",
  exits: [exitCodes.notFound],
  async work(context, [id]) {
    const found = await reading(context, ({ call }) => call("deliveries.show", { id }));
    return { data: found, text: deliveryText(found, context) };
  },
});

const deciding = [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain];

const resend = defineCommand<[id: string]>({
  usage: "resend <id>",
  summary: "send what is unknown or dead again, from its first part on that may not have arrived",
  example: "deliveries resend d12",
  exits: deciding,
  async work(context, [id]) {
    const data = await asking(context, ({ call }) => call("deliveries.resend", { id }));
    const again = shown(data.id);
    const text = `${shown(id)} is sent again, as ${again}: \`statehive deliveries show ${again}\` shows what becomes of it.`;
    return { data, text: context.forThisHome(text) };
  },
});

const cancel = defineCommand<[id: string]>({
  usage: "cancel <id>",
  summary: "do not send one any more that waits",
  example: "deliveries cancel d12",
  exits: deciding,
  async work(context, [id]) {
    const data = await asking(context, ({ call }) => call("deliveries.cancel", { id }));
    return { data, text: `${shown(id)} is not sent any more.` };
  },
});

export const deliveries: Group = {
  usage: "deliveries",
  summary: "messages to people in channels: list, show, resend, cancel",
  example: "deliveries list",
  children: [list, show, resend, cancel],
};

function stateOf({ state, resent_as, needs_you }: ShownDelivery): string {
  if (resent_as !== null) return `${state}, sent again`;
  return needs_you ? `${state} !` : state;
}

function deliveryText(
  found: ShownDeliveryDetails,
  { width, style, forThisHome }: Pick<CommandContext, "width" | "style" | "forThisHome">,
): string {
  const { id, kind, about, error, text } = found;
  const rows: [string, string][] = [
    ["state", found.needs_you ? style.yellow(found.state) : stateOf(found)],
    ["what", `${kind}${about === null ? "" : ` of ${shown(about)}`}`],
    ["to", `${shown(found.scope)} at ${shown(found.connector_id)}`],
    ["parts that arrived", String(found.arrived)],
    ["attempts", String(found.attempts)],
    ["error", error === null ? "-" : `${error.code}: ${shown(error.message)}`],
    ...linked("repeats", found.resends),
    ...linked("sent again as", found.resent_as),
    ["made", moment(found.created_at)],
    ["ended", found.ended_at === null ? "-" : moment(found.ended_at)],
  ];
  const what = text === null ? ["  | nothing any more"] : barred(text, "  ", width);
  const hint = found.needs_you
    ? [forThisHome(`\`statehive deliveries resend ${shown(id)}\` sends it again.`)]
    : [];
  return [`delivery ${shown(id)}`, facts(rows, width), "it says", ...what, ...hint].join("\n");
}

function linked(name: string, id: string | null): [string, string][] {
  return id === null ? [] : [[name, shown(id)]];
}
