import { Option } from "commander";
import type { ShownGrant } from "../../schema/shown/shown.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../../text/shown.ts";
import { table } from "../output/table.ts";
import { age, until } from "../../text/times.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";

type Listing = Limited & { readonly session?: string };

const list = defineCommand<[], Listing>({
  usage: "list",
  summary: "what people allowed or denied beyond one call, and when it ends",
  example: "grants list --session s3",
  offline: "file",
  exits: [exitCodes.notFound],
  options: [new Option("--session <id>", "of this session alone"), limitOption(100)],
  async work(context, _args, { session, limit }) {
    const which = session === undefined ? { limit } : { session, limit };
    const rows = await reading(context, ({ call }) => call("grants.list", which));
    const { now, width } = context;
    const text = table(
      rows,
      [
        { title: "ID", cell: ({ id }) => id },
        { title: "EFFECT", cell: ({ effect }) => effect },
        { title: "FOR THE", cell: ({ scope }) => scope },
        { title: "SESSION", cell: ({ session_id }) => session_id },
        { title: "AGENT", cell: ({ agent_id }) => agent_id },
        { title: "BY", cell: ({ given_by }) => given_by },
        { title: "AGE", cell: ({ given_at }) => age(given_at, now) },
        { title: "ENDS IN", cell: (row) => endOf(row, now) },
        { title: "TOOL", cell: ({ tool }) => tool },
        { title: "COVERS", cell: covers },
      ],
      { empty: "Nothing is granted beyond what the agents' files say.", width },
    );
    return { data: rows, text };
  },
});

function endOf({ expires_at }: ShownGrant, now: number): string | null {
  return expires_at === null ? null : until(expires_at, now);
}

function covers({ capability, terms }: ShownGrant): string {
  return terms === "" ? capability : `${capability} (${terms})`;
}

const revoke = defineCommand<[id: string]>({
  usage: "revoke <id>",
  summary: "take one back; what has not begun yet is asked about, or judged, again",
  example: "grants revoke g12-0",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  async work(context, [id]) {
    const data = await asking(context, ({ call }) => call("grants.revoke", { id }));
    const { effect, capability, scope } = data;
    const word = effect === "allow" ? "allowed" : "denied";
    return { data, text: `${shown(capability)} is no longer ${word} for the ${scope}.` };
  },
});

export const grants: Group = {
  usage: "grants",
  summary: "what people allowed or denied beyond one call: list, revoke",
  example: "grants list",
  children: [list, revoke],
};
