import type { Verdict } from "../../engine/rerun/rerun-verdict.ts";
import type { ReplayFrame } from "../../schema/shown/replay.ts";
import { iso } from "../records/shown.ts";
import { cutText } from "./cut.ts";
import { frameText } from "./frame-text.ts";
import type { ReplayedStep } from "./recorded-run.ts";

const mostOfDifference = 1_000;

export function showFrame(step: ReplayedStep): ReplayFrame {
  const { row, verdict } = step;
  const { seq, at, address, machine, event_type, outcome, reason } = row;
  const { state_before, state_after, origin, cause } = row;
  return {
    seq,
    at: iso(at),
    address,
    machine,
    event: event_type,
    outcome,
    reason,
    state_before,
    state_after,
    origin,
    cause,
    what: frameText(step),
    ...showVerdict(verdict),
  };
}

function showVerdict(verdict: Verdict): Pick<ReplayFrame, "replayed" | "why" | "difference"> {
  const { replayed } = verdict;
  const why = replayed === "unknown" ? verdict.why : null;
  if (replayed !== "different") return { replayed, why, difference: null };
  const { what, expected, found } = verdict.difference;
  return { replayed, why, difference: { what, expected: cut(expected), found: cut(found) } };
}

function cut(text: string): string {
  return cutText(text, mostOfDifference).value;
}
