import { Option } from "commander";
import { shown } from "../../text/shown.ts";
import { age, until } from "../../text/times.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { table } from "../output/table.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";

type OfConnector = { readonly connector?: string };

const list = defineCommand<[], Limited & OfConnector>({
  usage: "list",
  summary: "who asks to be let in, with their codes, and who was",
  example: "pair list",
  offline: "file",
  exits: [exitCodes.notFound],
  options: [new Option("--connector <id>", "at this connector alone"), limitOption(100)],
  async work(context, _args, { connector, limit }) {
    const which = connector === undefined ? { limit } : { connector, limit };
    const rows = await reading(context, ({ call }) => call("pairings.list", which));
    const { now, width } = context;
    const text = table(
      rows,
      [
        { title: "STATE", cell: ({ state }) => (state === "approved" ? "let in" : state) },
        { title: "CODE", cell: ({ code }) => code },
        { title: "CONNECTOR", cell: ({ connector_id }) => connector_id },
        { title: "USER", cell: ({ user_scope }) => user_scope },
        { title: "CALLS ITSELF", cell: ({ name }) => name },
        { title: "AGE", cell: ({ created_at }) => age(created_at, now) },
        {
          title: "ENDS IN",
          cell: ({ expires_at }) => (expires_at === null ? null : until(expires_at, now)),
        },
        { title: "BY", cell: ({ decided_by }) => decided_by },
      ],
      { empty: "Nobody asks to be let in, and nobody was by a code.", width },
    );
    return { data: rows, text };
  },
});

const deciding = [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain];

const approve = defineCommand<[code: string], OfConnector>({
  usage: "approve <code>",
  summary: "let the person in who has shown you this code: in private, and not as an approver",
  example: "pair approve K7WQ2MXA",
  exits: deciding,
  options: [new Option("--connector <id>", "where several connectors have the same code")],
  async work(context, [code], { connector }) {
    const which = connector === undefined ? { code } : { code, connector };
    const data = await asking(context, ({ call }) => call("pairings.approve", which));
    const who = `${shown(data.user_scope)} (calls itself ${shown(data.name)})`;
    return { data, text: `${who} may write to ${shown(data.connector_id)} in private.` };
  },
});

const revoke = defineCommand<[connector: string, user: string]>({
  usage: "revoke <connector> <user>",
  summary: "let a person in no more who was let in by a code",
  example: "pair revoke tg_main 1001",
  exits: deciding,
  async work(context, [connector, user]) {
    const params = { connector, user };
    const data = await asking(context, ({ call }) => call("pairings.revoke", params));
    const where = shown(data.connector_id);
    return { data, text: `${shown(data.user_scope)} may not write to ${where} any more.` };
  },
});

export const pair: Group = {
  usage: "pair",
  summary: "people who ask to be let in: list, approve, revoke",
  example: "pair list",
  children: [list, approve, revoke],
};
