import type { App } from "../app/app.ts";
import type { Pane } from "../app/pane.ts";
import type { Line } from "../frame/frame.ts";
import { span } from "../frame/line.ts";
import { own, safe } from "../frame/safe-text.ts";
import { happeningFields, happeningLine } from "../look/happening-line.ts";
import { jsonLines } from "../look/json-lines.ts";
import type { Happening } from "../model/happenings.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import { ListPane } from "../widgets/list-pane.ts";

type Paused = { readonly rows: readonly Happening[]; readonly added: number };

/** What happens, as it happens: events and transitions, the newest at the end. */
export function busPane(app: App): Pane {
  const { happenings } = app.model;
  let paused: Paused | undefined;
  const turn = () => {
    paused =
      paused === undefined ? { rows: [...happenings.rows()], added: happenings.added } : undefined;
  };
  const list = new ListPane<Happening>(app, {
    title: () => (paused === undefined ? own`bus` : own`bus, paused: ${missed(app, paused)} more`),
    rows: () => paused?.rows ?? happenings.rows(),
    idOf: ({ id }) => id,
    lineOf: happeningLine,
    fieldsOf: happeningFields,
    tracesOf: ({ trace }) => [trace],
    empty: own`nothing has happened yet`,
    follows: true,
    onKey(key, chosen) {
      if (key.name === " ") turn();
      else if (key.name === "enter" && chosen !== undefined) show(app, chosen);
      else return false;
      return true;
    },
    hints: [
      { keys: own`Space`, does: own`pause` },
      { keys: own`Enter`, does: own`whole` },
    ],
  });
  return Object.assign(list, { note: () => flowLine(app) });
}

function missed({ model }: App, { added }: Paused): number {
  model.happenings.rows();
  return model.happenings.added - added;
}

/** What passes over the bus at this moment. */
function flowLine({ model }: App): Line {
  const { inRate, outRate, backlog, drops } = model.traffic.flow();
  const lost = drops + model.droppedSteps;
  return [
    span(own`in ${perSecond(inRate)}  out ${perSecond(outRate)}  `),
    span(own`backlog ${backlog}  `, backlog > 0 ? { fg: "yellow" } : {}),
    span(own`drops ${lost}`, lost > 0 ? { fg: "red" } : {}),
  ];
}

/** `3.2/s` */
export function perSecond(rate: number) {
  return safe(`${rate < 10 && rate > 0 ? rate.toFixed(1) : rate.toFixed(0)}/s`);
}

function show(app: App, row: Happening): void {
  const value = row.kind === "step" ? row.step : row.event;
  app.open(new TextOverlay({ title: safe(row.id), lines: (width) => jsonLines(value, width) }));
}
