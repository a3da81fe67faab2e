import { type QueueMode, queueModes } from "../schema/queue.ts";

/** What a message waits for, in words. */
export const waitsFor: { readonly [mode in QueueMode]: string } = {
  follow_up: "waits its turn",
  steer: "reaches the agent before its next step",
  interrupt: "goes first: what runs is being cancelled",
  collect: "is answered with the others that wait",
};

/** `/steer and be brief`: a message that says itself what becomes of it while the agent works. */
export function queuedMessage(
  line: string,
): { readonly queue: QueueMode; readonly text: string } | undefined {
  const [, name, text = ""] = /^\/(\S+)\s*([^]*)$/.exec(line.trimStart()) ?? [];
  const queue = queueModes.find((mode) => mode === name);
  return queue === undefined ? undefined : { queue, text: text.trim() };
}
