import type { AdmittedWhat } from "../../../gateway/judged.ts";
import { origin } from "../../../policy/origins.ts";
import { noTrust, type Trust } from "../../../schema/contexts/trust.ts";

/** What a person forwards, or has another bot write, are somebody else's words. */

const mark = "[Passed on by the person: somebody else's words.]";

/** @param text what was said, and the files that came with it */
export function toldToAgent(what: AdmittedWhat, text: string): string {
  return isPassedOn(what) ? `${mark}\n${text}` : text;
}

/** @returns undefined for a person's own words */
export function trustOfPassedOn(what: AdmittedWhat): Trust | undefined {
  return isPassedOn(what)
    ? { ...noTrust, untrusted: [origin("forwarded", what.message_id)] }
    : undefined;
}

function isPassedOn(
  what: AdmittedWhat,
): what is Extract<AdmittedWhat, { kind: "message" | "edit" }> {
  return "is_forwarded" in what && what.is_forwarded;
}
