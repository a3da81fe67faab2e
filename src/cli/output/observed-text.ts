import type { ShownHistogram } from "../../schema/shown/observed.ts";
import type { ServiceStatus } from "../../schema/socket/protocol.ts";
import type { CommandContext } from "../command-context.ts";
import { shown } from "../../text/shown.ts";
import { facts, table } from "./table.ts";
import { age } from "../../text/times.ts";

/** What a service says of itself, for people. */

const mostAlerts = 5;

export function alertLines(
  { alerts }: ServiceStatus,
  { style, now }: Pick<CommandContext, "style" | "now">,
): string[] {
  const newest = alerts.slice(0, mostAlerts).map(({ at, message }) => {
    return style.yellow(`  ! ${age(at, now)} ago  ${shown(message)}`);
  });
  const rest = alerts.length - newest.length;
  return rest === 0 ? newest : [...newest, style.dim(`  ! and ${rest} more`)];
}

/** What those who watch have missed, and what the log has; nothing where all is well. */
export function troubleRows({ bus, log }: ServiceStatus): [string, string][] {
  const sum = (of: "dropped" | "failed") =>
    bus.listeners.reduce((total, listener) => total + listener[of], 0);
  const [dropped, failed] = [sum("dropped"), sum("failed")];
  const rows: [string, string][] = [];
  if (dropped + failed > 0) rows.push(["listeners", `${dropped} dropped, ${failed} failed`]);
  if (log.lost > 0) rows.push(["log", `${log.lost} lines could not be written`]);
  return rows;
}

export function observedText({ bus, metrics }: ServiceStatus): string[] {
  const { events, tools, tokens, run_duration, tool_duration } = metrics;
  const counts: [string, string][] = [
    ...Object.entries(events).map(([type, count]): [string, string] => [type, String(count)]),
    ["tokens", `${tokens.input_tokens} in, ${tokens.output_tokens} out`],
    ["run duration", durationText(run_duration)],
    ["tool duration", durationText(tool_duration)],
  ];
  return [
    "\nSince the start:",
    facts(counts),
    "",
    table(
      tools,
      [
        { title: "TOOL", cell: ({ tool }) => tool },
        { title: "DONE", cell: ({ done }) => done },
        { title: "FAILED", cell: ({ failed }) => failed },
        { title: "CANCELLED", cell: ({ cancelled }) => cancelled },
      ],
      { empty: "No tool has run." },
    ),
    "",
    table(
      bus.listeners,
      [
        { title: "LISTENER", cell: ({ name }) => name },
        { title: "LISTENING", cell: ({ listening }) => listening },
        { title: "DELIVERED", cell: ({ delivered }) => delivered },
        { title: "QUEUED", cell: ({ queued }) => queued },
        { title: "DROPPED", cell: ({ dropped }) => dropped },
        { title: "FAILED", cell: ({ failed }) => failed },
      ],
      { empty: "Nobody listens." },
    ),
  ];
}

function durationText({ count, mean_ms, max_ms }: ShownHistogram): string {
  return count === 0 ? "-" : `${mean_ms} ms on average, ${max_ms} ms at most (of ${count})`;
}
