import type { ActorStep } from "../../src/schema/socket/protocol.ts";

const startedAt = performance.now();

export function say(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${seconds} s  ${text}\n`);
}

/** One transition of one actor: `run/r4  thinking -> awaiting_tool   (xstate.done.actor.callModel)`. */
export function sayStep({ address, event, outcome, state_before, state_after }: ActorStep): void {
  if (outcome !== "handled") return;
  const name = address.startsWith("session/")
    ? address.replace(/^session\/[^/]+\/?/, "") || "session"
    : address;
  const from = state_before === null ? "(new)" : state_before;
  const change = state_before === state_after ? String(state_after) : `${from} -> ${state_after}`;
  say(`    ${name.padEnd(32)} ${change.padEnd(36)} ${event}`);
}
