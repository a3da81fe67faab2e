import type { AdmittedWhat } from "../../../gateway/judged.ts";
import { isSaid } from "../../../gateway/standing.ts";
import { origin } from "../../../policy/origins.ts";
import { noTrust, type Trust } from "../../../schema/contexts/trust.ts";
import { quoteOf } from "../../../text/answered-quote.ts";

/** What a person forwards, has another bot write, or answers, are mostly somebody else's words. */

const forwardedMark = "[Passed on by the person: somebody else's words.]";

/** @param text what was said, and the files that came with it */
export function toldToAgent(what: AdmittedWhat, text: string): string {
  if (!isSaid(what)) return text;
  const told = what.is_forwarded ? `${forwardedMark}\n${text}` : text;
  return what.quoted ? `${quoteOf(what.quoted)}\n${told}` : told;
}

/** @returns undefined for a person's own words */
export function trustOfPassedOn(what: AdmittedWhat): Trust | undefined {
  if (!isSaid(what)) return undefined;
  const { message_id, is_forwarded, quoted } = what;
  const untrusted = [
    ...(is_forwarded ? [origin("forwarded", message_id)] : []),
    ...(quoted && quoted.text !== "" && !quoted.is_own ? [origin("quoted", message_id)] : []),
  ];
  return untrusted.length === 0 ? undefined : { ...noTrust, untrusted };
}
