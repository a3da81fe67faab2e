import {
  type AgentError,
  type ErrorCode,
  errorCodes,
  type ErrorData,
} from "../../schema/errors.ts";
import { shown } from "../../text/shown.ts";

const standard: { readonly [code in ErrorCode]?: string | undefined } = {
  "usage": undefined,
  "internal": "the log has more; `statehive status` shows whether the service still runs",
  "actor.ended": "`statehive actors tree` lists those that live",
  "approval.already_decided": "`statehive approvals list` shows what still waits",
  "event.invalid":
    "`statehive actors get` shows the actor; the payload is its third argument, as JSON",
  "event.unknown": "`statehive actors get` lists what an actor accepts now",
  "service.not_running": "`statehive start` starts it",
  "service.not_answering":
    "`statehive stop --force` ends it, `statehive start` goes on where it was",
};

/** The next step: the error's own, else what is known of its code. */
export function hintOf({ code, hint }: AgentError | ErrorData): string | undefined {
  if (hint !== undefined) return hint;
  return code in standard ? standard[code] : errorCodes[code];
}

/** The commands that a text names, for the home that was given on the command line. */
export function forHome(text: string, homeFlag: string | undefined): string {
  if (homeFlag === undefined) return text;
  const home = ` --home ${quoted(shown(homeFlag))}`;
  return text.replaceAll(/`statehive [^`\n]+(?=`)/g, (command) => `${command}${home}`);
}

function quoted(word: string): string {
  return /^[\w./~+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
