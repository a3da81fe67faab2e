import type { RunMoment } from "../../schema/shown/replay.ts";
import type { CommandContext } from "../command-context.ts";
import { hitsText } from "./memory-text.ts";
import { messageLines } from "./message-lines.ts";
import { actorName, changeText, differenceText, eventName } from "../../text/replay-words.ts";
import { barred, shown, shownInput } from "../../text/shown.ts";
import { facts, table } from "./table.ts";
import { moment as time } from "../../text/times.ts";

/** A run as it was after a step. */
export function momentText(
  moment: RunMoment,
  screen: Pick<CommandContext, "width" | "style">,
): string {
  const { run_id, frame, event, actors, context, context_unknown, recalled, is_cut } = moment;
  const { width } = screen;
  const { type: _type, ...payload } = event;
  const rows: [string, string][] = [
    ["at", time(frame.at)],
    ["actor", shown(frame.address)],
    ["event", `${shown(eventName(frame))}, from ${shown(frame.origin)}`],
    ["state", shown(changeText(frame))],
    ["replayed", frame.replayed === "unknown" ? `unknown: ${shown(frame.why)}` : frame.replayed],
  ];
  const knows =
    context === null
      ? [`  not known: ${shown(context_unknown)}`]
      : barred(JSON.stringify(context, null, 2), "  ", width);
  return [
    `run ${shown(run_id)} at ${frame.seq}`,
    facts(rows),
    ...differenceText(frame),
    ...section("with it came", shownInput(payload, "  ", width)),
    "",
    table(
      actors,
      [
        { title: "ACTOR", cell: actorName },
        { title: "KIND", cell: ({ machine }) => machine },
        { title: "STATE", cell: ({ state }) => state },
        { title: "STATUS", cell: ({ status }) => status },
        { title: "STEP", cell: ({ seq }) => seq },
      ],
      { empty: "No actor.", width },
    ),
    ...section(`${shown(actorName(frame))} knew`, knows),
    ...section("recalled", recalled.length === 0 ? [] : [hitsText(recalled, screen)]),
    ...section(saidTitle(moment), moment.messages.flatMap(messageLines)),
    ...(is_cut ? ["", "(what was too long is cut)"] : []),
  ].join("\n");
}

function saidTitle({ has_earlier_messages }: RunMoment): string {
  return has_earlier_messages ? "said until then, the newest of it" : "said until then";
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}
