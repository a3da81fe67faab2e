import { duration } from "../text/times.ts";

/** What the gateway itself says to people. */

export function pairingWord(code: string): string {
  return [
    "Hello. I do not know you yet, so I cannot answer you.",
    `To be let in, tell my owner this code: ${code}`,
    `It is good for one hour. My owner then says: statehive pair approve ${code}`,
  ].join("\n");
}

export function floodWord(count: number, waitMs: number): string {
  const what = count === 1 ? "1 message was" : `${count} messages were`;
  const when = waitMs === 0 ? "You can go on now" : `Go on in ${duration(roundedUp(waitMs))}`;
  return `Too many messages came at once: ${what} not accepted. ${when}, and send again what is missing.`;
}

/** So that nobody comes back too early. */
function roundedUp(ms: number): number {
  const unit = ms < 60_000 ? 1000 : 60_000;
  return Math.ceil(ms / unit) * unit;
}

export const emptyWord =
  "I found nothing to read in this message. I can read text, photos, voice messages and files.";

export function tooLongWord(length: number, longest: number): string {
  return `This message is too long: ${length} characters, and ${longest} are possible. Send it as a file, or in parts.`;
}
