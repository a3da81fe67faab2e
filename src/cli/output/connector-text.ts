import { shown } from "../../text/shown.ts";
import { age, moment, until } from "../../text/times.ts";
import type { ShownConnector, ShownConnectorDetails } from "../../schema/shown/shown-channels.ts";
import type { CommandContext } from "../command-context.ts";
import { facts } from "./table.ts";

type Looks = Pick<CommandContext, "style" | "now" | "width">;

/** How it is, in a word: `polling`; a disabled one says that. */
export function standing({ is_configured, is_enabled, state }: ShownConnector): string {
  if (!is_configured) return `${state}, in no file`;
  return is_enabled ? state : `${state}, disabled`;
}

/** What is wrong and what to do about it, a line each. */
export function troubleOf({ needs, error }: ShownConnector): string[] {
  const wrong = error === null ? [] : [`${error.code}: ${shown(error.message)}`];
  return needs === null ? wrong : [...wrong, shown(needs)];
}

export function connectorText(found: ShownConnectorDetails, { style, now, width }: Looks): string {
  const { id, type, intake, name, since, deliveries } = found;
  const [wrong, needed] = [found.error, found.needs];
  const rows: [string, string][] = [
    ["state", `${standing(found)}${since === null ? "" : ` for ${age(since, now)}`}`],
    ...optional("error", wrong && `${wrong.code}: ${shown(wrong.message)}`),
    ...optional("do", needed && style.yellow(shown(needed))),
    ...optional("next try", found.next_try_at && `in ${until(found.next_try_at, now)}`),
    ["account", shown(name)],
    ["messages come", intake === "polling" ? "when asked for" : `by posts to /${type}/${id}`],
    ["may write", `${found.allow_users} configured, ${found.paired} let in by a code`],
    ["approvers", String(found.approvers)],
    ["groups", String(found.groups)],
    ["agents to choose", shown(found.agents.join(", "))],
    ["updates", `${found.accepted} taken, ${found.refused} refused, the last ${lastOf(found)}`],
    ["ask to be let in", `${found.pairings_open}`],
    [
      "deliveries",
      `${deliveries.open} open, ${deliveries.unknown} unknown, ${deliveries.dead} dead`,
    ],
    ...found.remarks.map((remark): [string, string] => ["note", shown(remark)]),
  ];
  return [style.bold(`${shown(id)} (${shown(type)})`), facts(rows, width)].join("\n");
}

function optional(name: string, value: string | null): [string, string][] {
  return value === null ? [] : [[name, value]];
}

function lastOf({ last_update_at }: ShownConnector): string {
  return last_update_at === null ? "never" : `at ${moment(last_update_at)}`;
}
