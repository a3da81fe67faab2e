import type { ActorStep } from "../../schema/socket/protocol.ts";
import type { Line } from "../frame/frame.ts";
import { span } from "../frame/line.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";

/** One transition as a row: `20:41:02.113 approval.decided  awaiting_approval → executing  call/c2`.
 *  @param below the address that is left out of the actor's */
export function stepLine(step: ActorStep, below = ""): Line {
  const { at, event, outcome, reason } = step;
  const isRefused = outcome !== "handled";
  const refusal = isRefused ? own`  ${safe(outcome)}: ${safe(reason ?? "")}` : own``;
  return [
    span(own`${clockOf(at)} `, { fg: "grey" }),
    span(safe(event), isRefused ? { fg: "yellow" } : { bold: true }),
    span(own`  ${changeOf(step)}`, { fg: "cyan" }),
    span(own`  ${whoOf(step.address, below)}`, { fg: "grey" }),
    span(refusal, { fg: "yellow" }),
  ];
}

/** `20:41:02.113` */
export function clockOf(iso: string): SafeText {
  return safe(iso.slice(11, 23));
}

export function changeOf({ state_before, state_after }: ActorStep): SafeText {
  if (state_before === state_after) return safe(state_after ?? "");
  return own`${safe(state_before ?? "(new)")} → ${safe(state_after ?? "(gone)")}`;
}

export function whoOf(address: string, below = ""): SafeText {
  const ownPart =
    below !== "" && address.startsWith(below) ? address.slice(below.length + 1) : address;
  return safe(ownPart.replace(/^session\/[^/]*\/?/, ""));
}
