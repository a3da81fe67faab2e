import type { AdmittedWhat } from "../../../gateway/judged.ts";
import { isSaid } from "../../../gateway/standing.ts";
import { origin } from "../../../policy/origins.ts";
import { noTrust, type Trust } from "../../../schema/contexts/trust.ts";

/** What a person forwards, has another bot write, or answers, are mostly somebody else's words. */

type Said = Extract<AdmittedWhat, { kind: "message" | "edit" }>;
type Quoted = NonNullable<Said["quoted"]>;

const forwardedMark = "[Passed on by the person: somebody else's words.]";

/** @param text what was said, and the files that came with it */
export function toldToAgent(what: AdmittedWhat, text: string): string {
  if (!isSaid(what)) return text;
  const told = what.is_forwarded ? `${forwardedMark}\n${text}` : text;
  return what.quoted ? `${quoteOf(what.quoted)}\n${told}` : told;
}

/** A sign at the beginning of each line, so that none of them passes for what the person says. */
function quoteOf({ text, is_own }: Quoted): string {
  const what = `The person answers ${is_own ? "their own message" : "somebody else's message"}`;
  if (text === "") return `[${what}, whose files come with this one.]`;
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
  return [`[${what}:]`, ...lines.map((line) => `> ${line}`)].join("\n");
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
