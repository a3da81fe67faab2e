import type { FrameText, ReplayFrame } from "../schema/shown/replay.ts";
import { shorten, shown } from "./shown.ts";

/** What is said of a run's recorded steps; but for differences it is not cleaned yet. */

/** `+12.345s` since the run began. */
export function offset(at: string, began: number): string {
  return `+${((Date.parse(at) - began) / 1000).toFixed(3)}s`;
}

/** `c9-0` of `session/…/run/r7/call/c9-0`. */
export function actorName({ address }: Pick<ReplayFrame, "address">): string {
  return address.slice(address.lastIndexOf("/") + 1);
}

/** XState's own events in plain words: `callModel done`, `after runDeadline`. */
export function eventName({ event }: Pick<ReplayFrame, "event">): string {
  const [, kind, name] = /^xstate\.(done|error)\.actor\.(.*)$/s.exec(event) ?? [];
  if (kind !== undefined) return `${name} ${kind === "done" ? "done" : "failed"}`;
  const [, delay] = /^xstate\.after\.([^.]*)/.exec(event) ?? [];
  return delay === undefined ? event : `after ${delay}`;
}

export function changeText(frame: ReplayFrame): string {
  const { state_before, state_after, outcome, reason } = frame;
  if (outcome !== "handled") return `${outcome}: ${reason ?? ""}`;
  if (state_before === state_after) return state_after ?? "";
  return state_before === null ? `-> ${state_after}` : `${state_before} -> ${state_after}`;
}

/** A line of it. */
export function whatText({ kind, title, text }: FrameText): string {
  return shorten(title === "" ? `${kind}: ${text}` : `${kind} ${title}: ${text}`, 100);
}

export function differenceText({ seq, difference }: ReplayFrame): string[] {
  if (difference === null) return [];
  const { what, expected, found } = difference;
  return [
    `different at ${seq}, ${shown(what)}: expected ${shorten(shown(expected), 300)}, found ${shorten(shown(found), 300)}`,
  ];
}

/** `replayed: 39 of 41 transitions the same, 2 unknown`. */
export function verdictText(frames: readonly ReplayFrame[]): string {
  const count = (word: ReplayFrame["replayed"]) =>
    frames.filter(({ replayed }) => replayed === word).length;
  const [different, unknown] = [count("different"), count("unknown")];
  const rest = [
    ...(different === 0 ? [] : [`${different} different`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
  ];
  const sum = `replayed: ${count("same")} of ${frames.length} transitions the same`;
  return [sum, ...rest].join(", ");
}
