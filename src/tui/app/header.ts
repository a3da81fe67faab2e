import type { Line, Span } from "../frame/frame.ts";
import { apart, fitLine, line, span, thoseThatFit, widthOf } from "../frame/line.ts";
import { own, safe } from "../frame/safe-text.ts";
import type { Model } from "../model/model.ts";
import { waitingCount } from "../model/waiting.ts";
import { age, duration } from "../../text/times.ts";
import { numberOf, type View } from "./view.ts";

/** The row at the top: whether the service is there, how it is, and what waits for a person. */
export function headerLine(model: Model, now: number, columns: number): Line {
  const alarm = alarms(model);
  const parts = [
    [span(own` statehive `, { bold: true })],
    attachment(model, now),
    ...figures(model, now),
  ];
  return apart(thoseThatFit(parts, columns - widthOf(alarm) - 1), alarm, columns);
}

function attachment({ detachedAt, fault, status }: Model, now: number): Span[] {
  if (fault !== null) return [span(own`✗ ${safe(fault)}`, { fg: "red", bold: true })];
  if (detachedAt !== null) {
    const since = safe(duration(now - detachedAt));
    return [span(own`○ detached for ${since}: what you see is stale  `, { fg: "red", bold: true })];
  }
  if (status === undefined) return [span(own`○ attaching …`, { fg: "yellow" })];
  return [span(own`● attached`, { fg: "green" })];
}

/** The most telling first: a narrow screen has no room for all. */
function figures({ status, actors, detachedAt }: Model, now: number): Line[] {
  if (status === undefined || detachedAt !== null) return [];
  const { pid, started_at, model } = status;
  const words = [
    own`  ${safe(model)}`,
    own`  runs ${actors.count("run")}`,
    own`  sessions ${actors.count("session")}`,
    own`  up ${safe(age(started_at, now))}`,
    own`  pid ${pid}`,
  ];
  return words.map((text) => line(text, { fg: "grey" }));
}

function alarms(model: Model): Span[] {
  const { status, detachedAt } = model;
  if (detachedAt !== null) return [];
  const spans: Span[] = [];
  if (status?.degraded)
    spans.push(span(own`! the disk takes nothing  `, { fg: "red", bold: true }));
  const quarantined = status?.quarantined ?? 0;
  if (quarantined > 0) spans.push(span(own`! ${quarantined} set aside  `, { fg: "red" }));
  const waiting = waitingCount(model);
  if (waiting > 0) {
    const what = waiting === 1 ? own`1 waits for you` : own`${waiting} wait for you`;
    spans.push(span(own`? ${what} (F4) `, { fg: "yellow", bold: true }));
  }
  return spans;
}

/** The row below it: the views and their keys, closer to each other where there is little room. */
export function tabsLine(views: readonly View[], current: View, columns: number): Line {
  const tabs = views.map((view) => {
    const count = view.count?.() ?? 0;
    const title = count > 0 ? own`${view.title} ${count}` : view.title;
    const style = view === current ? ({ inverse: true } as const) : ({ fg: "grey" } as const);
    return span(own` ${numberOf(view)} ${title} `, style);
  });
  const apartOnes = tabs.flatMap((tab) => [tab, span(own` `)]);
  return fitLine(widthOf(apartOnes) <= columns ? apartOnes : tabs, columns);
}
