import type { ActorDetails } from "../../schema/shown/actor-view.ts";
import { payloadBrief } from "../../schema/events/payload-brief.ts";
import type { CommandContext } from "../command-context.ts";
import { shown, shownInput } from "../../text/shown.ts";
import { facts, table } from "./table.ts";
import { moment, until } from "../../text/times.ts";

type Fact = readonly [name: string, value: string];

/** One actor: what it is, what it waits for and runs, what it accepts, what it remembers. */
export function actorText(found: ActorDetails, { now }: Pick<CommandContext, "now">): string {
  const { kind, version, state, status, since, parent, active } = found;
  const rows: Fact[] = [
    ["kind", `${shown(kind)} ${shown(version)}`],
    ["state", `${shown(state)} (${shown(status)}) since ${moment(since)}`],
    ...(active.length > 1 ? [["active", shown(active.join(", "))] satisfies Fact] : []),
    ["parent", shown(parent)],
    ["children", String(found.children)],
    ["trace", shown(found.trace)],
    ["tags", shown(found.tags.join(", "))],
    ["created", moment(found.created_at)],
    ["last step", String(found.seq)],
    ...found.timers.map((timer) => ["timer", timerText(timer, now)] satisfies Fact),
    ...found.activities.map((one) => ["activity", activityText(one, now)] satisfies Fact),
    ...(found.error === null ? [] : [["error", shown(found.error.message)] satisfies Fact]),
  ];
  return [
    shown(found.address),
    facts(rows),
    acceptedText(found),
    "  context",
    ...shownInput(found.context, "    "),
  ].join("\n");
}

/** What a person may send comes first. */
function acceptedText({ next_events }: ActorDetails): string {
  const ordered = next_events.toSorted((a, b) => Number(b.pokeable) - Number(a.pokeable));
  return table(
    ordered,
    [
      { title: "  ACCEPTS NOW", cell: (event) => `  ${callOf(event)}` },
      { title: "BY HAND", cell: ({ pokeable }) => (pokeable ? "yes" : "no") },
      { title: "LEADS TO", cell: ({ targets }) => targets.join(", ") },
      { title: "MEANS", cell: ({ description }) => description },
    ],
    { empty: "  accepts nothing now" },
  );
}

/** As a person would write it who may: `run.cancel {reason?}`. */
function callOf({ type, pokeable, payload }: ActorDetails["next_events"][number]): string {
  return pokeable ? `${type} ${payloadBrief(payload)}`.trimEnd() : type;
}

function timerText({ name, at, event }: ActorDetails["timers"][number], now: number): string {
  const called = event.includes(name) ? shown(event) : `${shown(name)}: ${shown(event)}`;
  return `${called} in ${until(at, now)}, at ${moment(at)}`;
}

function activityText(activity: ActorDetails["activities"][number], now: number): string {
  const { name, status, attempt, lost, not_before, error } = activity;
  const again = not_before === null ? "" : `, again in ${until(not_before, now)}`;
  const losses = lost === 0 ? "" : `, ${lost} lost to a restart`;
  const why = error === null ? "" : `; before: ${shown(error.code)}: ${shown(error.message)}`;
  return `${shown(name)} ${status}, attempt ${attempt}${again}${losses}${why}`;
}
