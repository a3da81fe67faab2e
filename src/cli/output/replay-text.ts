import type { ReplayFrame, ReplayPage } from "../../schema/shown/replay.ts";
import {
  actorName,
  changeText,
  differenceText,
  eventName,
  offset,
  verdictText,
  whatText,
} from "../../text/replay-words.ts";
import { shown } from "../../text/shown.ts";
import { placeOf } from "./memory-text.ts";
import { table } from "./table.ts";
import { moment } from "../../text/times.ts";

/** A run's recorded steps, as a walk through them. */

export function replayText(page: ReplayPage, width: number | undefined): string {
  const { run_id, agent_id, session_id, state, started_at, frames } = page;
  const began = Date.parse(started_at);
  const rows = table(
    frames,
    [
      { title: "TIME", cell: ({ at }) => offset(at, began) },
      { title: "STEP", cell: ({ seq }) => seq },
      { title: "ACTOR", cell: actorName },
      { title: "EVENT", cell: eventName },
      { title: "STATE", cell: changeText },
      { title: "WITH", cell: ({ what }) => (what === null ? "" : whatText(what)) },
    ],
    { empty: "The journal has none of its steps.", width },
  );
  const head = `run ${shown(run_id)} of ${shown(agent_id)} in ${shown(session_id)}, began ${moment(started_at)}, is ${shown(state)}`;
  return [head, ...recalledText(page), rows, ...endingOf(page)].join("\n");
}

function recalledText({ recalled }: ReplayPage): string[] {
  return recalled.length === 0 ? [] : [`recalled ${recalled.map(placeOf).join(", ")}`];
}

function endingOf({ frames, is_pruned, next, run_id }: ReplayPage): string[] {
  if (frames.length === 0) return is_pruned ? [prunedText] : [];
  return [
    "",
    ...(is_pruned ? [prunedText] : []),
    ...frames.flatMap(differenceText),
    ...unknownTexts(frames),
    verdictText(frames),
    ...(next === null ? [] : [`${shown(run_id)} has more steps: --limit shows more of them`]),
  ];
}

const prunedText = "Its beginning is not in the journal any more.";

/** Each reason once, with the first step that it holds for. */
function unknownTexts(frames: readonly ReplayFrame[]): string[] {
  const firsts = new Map<string, number>();
  for (const { why, seq } of frames) if (why !== null && !firsts.has(why)) firsts.set(why, seq);
  return [...firsts].map(([why, seq]) => `unknown from ${seq}: ${shown(why)}`);
}
