import { grantScopes } from "../../schema/rows/permission-rows.ts";
import type { ShownApproval } from "../../schema/socket/protocol.ts";
import { relativePath } from "../../schema/relative-path.ts";
import { comingTime } from "../../text/coming-time.ts";
import { wrapWords } from "../../text/wrap-words.ts";
import type { App } from "../app/app.ts";
import { line } from "../frame/line.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { type Choice, Picker } from "../overlays/picker.ts";
import { QuestionOverlay } from "../overlays/question-overlay.ts";
import type { Word } from "./deciding.ts";

type WiderChoice = Choice & { readonly word: Word };

/** Every word that can be said of a call, with what it covers. */
export function pickWord(app: App, approval: ShownApproval, say: (word: Word) => void): void {
  app.open(
    new Picker<WiderChoice>(app, {
      title: own`how far shall it reach? ${safe(approval.id)}`,
      choices: choicesFor(approval),
      onPick: (choice) => completeWord(app, choice, say),
    }),
  );
}

function choicesFor(approval: ShownApproval): WiderChoice[] {
  return [
    { name: own`allow once`, about: own`this call, and no other`, word: { decision: "approve" } },
    ...allowing(approval),
    ...directoriesOf(approval),
    { name: own`deny once`, about: own`this call, and no other`, word: { decision: "deny" } },
    ...grantScopes.map((scope): WiderChoice => ({
      name: own`deny for the ${safe(scope)}`,
      about: own`calls like it are denied without asking, until the ${safe(scope)} ends`,
      word: { decision: "deny", scope },
    })),
  ];
}

function allowing({ proposed_grants, terms }: ShownApproval): WiderChoice[] {
  const isNarrow = proposed_grants.length > 0;
  const bound = terms === "" ? own`` : own` (${safe(terms)})`;
  const covered = own`${safe(proposed_grants.join(", "))}${bound}`;
  return grantScopes.map((scope): WiderChoice => {
    const about = isNarrow
      ? own`also ${covered}, until the ${safe(scope)} ends`
      : own`not offered: nothing narrow enough can be said of other calls`;
    const choice = {
      name: own`allow for the ${safe(scope)}`,
      about,
      word: { decision: "approve", scope },
    };
    return isNarrow ? (choice as WiderChoice) : ({ ...choice, isOff: true } as WiderChoice);
  });
}

function directoriesOf({ proposed_grants }: ShownApproval): WiderChoice[] {
  const found = new Set(proposed_grants.flatMap((pattern) => directoryOf(pattern) ?? []));
  return [...found].map((pattern) => ({
    name: own`allow the directory`,
    about: own`also ${safe(pattern)}, until the session ends`,
    word: { decision: "approve", scope: "session", grants: [pattern] },
  }));
}

/** `fs.write:notes/**` of `fs.write:notes/a.txt`; never the whole workspace. The service judges it again. */
function directoryOf(pattern: string): string | undefined {
  const [, kind = "", path = ""] = /^(fs\.[a-z]+):([^*]+)$/.exec(pattern) ?? [];
  const known = relativePath(path);
  if (kind === "" || !known.ok || known.path !== path || known.segments.length < 2)
    return undefined;
  return `${kind}:${known.segments.slice(0, -1).join("/")}/**`;
}

const untilField = {
  name: "until",
  label: own`ends earlier, at`,
  about: own`30m, 2h, 1d or a time; empty: when its scope ends`,
};
const reasonField = {
  name: "reason",
  label: own`why`,
  about: own`the agent is told; may be empty`,
};

function completeWord(
  app: App,
  { name, about, word }: WiderChoice,
  say: (word: Word) => void,
): void {
  const isWide = word.scope !== undefined;
  app.open(
    new QuestionOverlay(app, {
      title: name,
      about: (width) => wrapWords(own`It covers: ${about}.`, width).map((text) => line(safe(text))),
      fields: isWide ? [reasonField, untilField] : [reasonField],
      onDone({ reason = "", until = "" }): SafeText | undefined {
        const end = until.trim() === "" ? undefined : comingTime(until.trim(), app.timers.now());
        if (until.trim() !== "" && end === undefined)
          return own`ends: write it as 30m, 2h, 1d, 2026-01-31 or 2026-01-31T20:00:00Z`;
        say({ ...word, ...reasonIn(reason), ...(end === undefined ? {} : { until: end }) });
        return undefined;
      },
    }),
  );
}

function reasonIn(text: string): Pick<Word, "reason"> {
  return text.trim() === "" ? {} : { reason: text.trim() };
}

/** Asks for the reason of a denial. */
export function denyWithReason(
  app: App,
  { id, summary }: ShownApproval,
  say: (word: Word) => void,
) {
  app.open(
    new QuestionOverlay(app, {
      title: own`deny ${safe(id)}`,
      about: (width) =>
        wrapWords(safe(summary), width)
          .slice(0, 3)
          .map((text) => line(safe(text))),
      fields: [{ ...reasonField, label: own`why not`, about: own`the agent is told` }],
      onDone({ reason = "" }) {
        say({ decision: "deny", ...reasonIn(reason) });
        return undefined;
      },
    }),
  );
}
