import type { ChartDetails } from "../../schema/shown/chart-view.ts";
import type { Json } from "../../schema/json.ts";
import type { ActorThen, ReplayFrame, RunMoment } from "../../schema/shown/replay.ts";
import type { Line, Style } from "../frame/frame.ts";
import { blank, line, span } from "../frame/line.ts";
import { own, safe, safeLines, type SafeText, wrappedWords } from "../frame/safe-text.ts";
import { lookOf } from "../look/actor-look.ts";
import { outlineOf } from "../look/chart-outline.ts";
import { heading } from "../look/fact-lines.ts";
import { jsonLines } from "../look/json-lines.ts";
import { hitLine } from "../look/memory-look.ts";
import { conversationLines } from "../look/message-lines.ts";
import { living } from "../look/run-look.ts";
import { eventName, shortName, whatTitle } from "./frame-look.ts";

/** A run as it was after one of its steps, part by part. */

export type Shown = {
  readonly frame: ReplayFrame;
  /** Until it has come, what the frame itself says is shown. */
  readonly moment: RunMoment | undefined;
  readonly chart: ChartDetails | undefined;
  readonly agent: string;
  readonly width: number;
};

const asking: readonly Line[] = [line(own`asking …`, { fg: "grey" })];

/** What happened, who lived then, and where in its chart the actor was. */
export function happenedLines({ frame, moment, chart, width }: Shown): readonly Line[] {
  const whole = moment?.frame ?? frame;
  const then = moment === undefined ? [] : actorLines(moment.actors, frame.address);
  const active = activePaths(moment?.value ?? null);
  const outline =
    moment === undefined || chart === undefined
      ? asking
      : [blank, heading(own`chart of ${safe(chart.name)}`), ...outlineOf(chart, { active })];
  return [...stepLines(whole, width), ...whatLines(whole, width), ...then, ...outline];
}

function stepLines(frame: ReplayFrame, width: number): Line[] {
  const { address, event, outcome, reason, state_before, state_after, origin, cause, seq } = frame;
  const isHandled = outcome === "handled";
  const caused = cause === null ? own`from outside (${safe(origin)})` : own`caused by ${cause}`;
  const change =
    state_before === state_after
      ? own`stays ${safe(state_after ?? "(gone)")}`
      : own`${safe(state_before ?? "(new)")} → ${safe(state_after ?? "(gone)")}`;
  return [
    [
      span(own`${shortName(address)}  `, { bold: true }),
      span(eventName(event), isHandled ? {} : { fg: "yellow" }),
    ],
    [span(own`${change}  `, { fg: "cyan" }), span(own`step ${seq}, ${caused}`, { fg: "grey" })],
    ...(isHandled
      ? []
      : textLines(own`${safe(outcome)}: ${safe(reason ?? "")}`, {
          width,
          style: { fg: "yellow" },
        })),
    ...verdictLines(frame, width),
  ];
}

function verdictLines({ replayed, why, difference }: ReplayFrame, width: number): Line[] {
  if (replayed === "unknown")
    return textLines(own`not run again: ${safe(why ?? "")}`, { width, style: { fg: "grey" } });
  if (difference === null) return [];
  const { what, expected, found } = difference;
  const style: Style = { fg: "red" };
  return [
    ...textLines(own`today's chart does something else: ${safe(what)}`, { width, style }),
    ...textLines(own`recorded ${safe(expected)}`, { width, style }),
    ...textLines(own`found    ${safe(found)}`, { width, style }),
  ];
}

function whatLines({ what }: ReplayFrame, width: number): Line[] {
  if (what === null) return [];
  const style: Style = what.kind === "error" ? { fg: "red" } : {};
  const said = safeLines(what.text).flatMap((each) => textLines(each, { width, style }));
  const rest = what.is_cut ? [line(own`… (the event has all of it)`, { fg: "grey" })] : [];
  return [blank, heading(whatTitle(what)), ...said, ...rest];
}

function actorLines(actors: readonly ActorThen[], touched: string): Line[] {
  const rows = actors.map(({ address, state, status }): Line => {
    const isLiving = status === "active";
    const look = isLiving
      ? lookOf(living(state ?? ""))
      : lookOf({ status, state: state ?? "", tags: [] });
    const name = span(
      own`${shortName(address)}`,
      address === touched ? { bold: true, underline: true } : {},
    );
    return [span(own`${look.glyph} ${safe(state ?? status)}  `, look.style), name];
  });
  return [blank, heading(own`actors then`), ...rows];
}

/** Every active state of a value as XState has them: `{ working: "calling" }` is `working` and `working.calling`. */
export function activePaths(value: Json, above = ""): readonly string[] {
  const below = (key: string) => (above === "" ? key : `${above}.${key}`);
  if (typeof value === "string") return [below(value)];
  if (value === null || typeof value !== "object" || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    below(key),
    ...activePaths(inner, below(key)),
  ]);
}

export function contextLines({ moment, width }: Shown): readonly Line[] {
  if (moment === undefined) return asking;
  if (moment.context === null)
    return textLines(own`not known: ${safe(moment.context_unknown ?? "")}`, {
      width,
      style: { fg: "grey" },
    });
  return [...cutLines(moment), ...jsonLines(moment.context, width)];
}

export function eventLines({ moment, width }: Shown): readonly Line[] {
  return moment === undefined ? asking : [...cutLines(moment), ...jsonLines(moment.event, width)];
}

function cutLines({ is_cut }: RunMoment): Line[] {
  return is_cut ? [line(own`too long to be shown whole`, { fg: "yellow" })] : [];
}

export function talkLines({ moment, agent, width }: Shown): readonly Line[] {
  if (moment === undefined) return asking;
  const { messages, has_earlier_messages, recalled } = moment;
  if (messages.length === 0) return [line(own`nothing was said yet`, { fg: "grey" })];
  const earlier = has_earlier_messages
    ? [line(own`earlier messages are left out`, { fg: "grey" })]
    : [];
  const reminded =
    recalled.length === 0 ? [] : [heading(own`recalled`), ...recalled.map(hitLine), blank];
  return [...reminded, ...earlier, ...conversationLines(messages, { agent, width })];
}

function textLines(
  text: SafeText,
  { width, style }: { readonly width: number; readonly style?: Style },
): Line[] {
  return wrappedWords(text, width).map((each) => line(each, style));
}
