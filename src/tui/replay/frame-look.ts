import type { FrameText, ReplayFrame } from "../../schema/shown/replay.ts";
import { took } from "../../text/times.ts";
import type { Line, Style } from "../frame/frame.ts";
import { span } from "../frame/line.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Column } from "../frame/table.ts";

/** How a recorded transition looks in the list of them. */

const verdicts: { readonly [verdict in ReplayFrame["replayed"]]: Style } = {
  same: { fg: "green" },
  different: { fg: "red", bold: true },
  unknown: { fg: "grey" },
};

const marks: { readonly [verdict in ReplayFrame["replayed"]]: SafeText } = {
  same: own` `,
  different: own`≠`,
  unknown: own`?`,
};

export function frameColumns(startedAt: () => string): readonly Column<ReplayFrame>[] {
  return [
    {
      title: own` `,
      width: 1,
      cell: ({ replayed }) => span(marks[replayed], verdicts[replayed]),
    },
    {
      title: own`AFTER`,
      width: 7,
      align: "right",
      cell: ({ at }) => span(sinceStart(at, startedAt()), { fg: "grey" }),
    },
    { title: own`ACTOR`, width: 12, cell: ({ address }) => span(shortName(address)) },
    {
      title: own`EVENT`,
      width: "rest",
      cell: ({ event, outcome }) =>
        span(eventName(event), outcome === "handled" ? {} : { fg: "yellow" }),
    },
    {
      title: own`STATE`,
      width: "rest",
      cell: (frame) => span(safe(frame.state_after ?? ""), changeStyle(frame)),
    },
  ];
}

function changeStyle({ state_before, state_after }: ReplayFrame): Style {
  return state_before === state_after ? { fg: "grey" } : { fg: "cyan" };
}

export function sinceStart(at: string, startedAt: string): SafeText {
  return own`+${safe(took(Date.parse(at) - Date.parse(startedAt)))}`;
}

/** `call c7-0`: the kind and the id of what it is. */
export function shortName(address: string): SafeText {
  return safe(address.split("/").slice(-2).join(" "));
}

/** As the charts call it: `done callModel` for `xstate.done.actor.callModel`. */
export function eventName(event: string): SafeText {
  return safe(
    event
      .replace(/^xstate\.(done|error)\.actor\./, "$1 ")
      .replace(/^xstate\.after\.([^.]+).*$/, "after $1"),
  );
}

export function verdictLine(frame: ReplayFrame): Line {
  return [span(safe(frame.replayed), verdicts[frame.replayed])];
}

const kinds: { readonly [kind in FrameText["kind"]]: SafeText } = {
  message: own`message of`,
  answer: own`answer of`,
  call: own`call of`,
  result: own`result of`,
  verdict: own`verdict on`,
  decision: own`decision of`,
  error: own`error of`,
};

/** `answer of offline/rules` */
export function whatTitle({ kind, title }: FrameText): SafeText {
  return own`${kinds[kind]} ${safe(title)}`;
}
