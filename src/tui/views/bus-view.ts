import type { App } from "../app/app.ts";
import { inTwo } from "../app/layout.ts";
import type { View } from "../app/view.ts";
import { own } from "../frame/safe-text.ts";
import { BusCountersPane } from "../panes/bus-counters-pane.ts";
import { busPane } from "../panes/bus-pane.ts";

/** What passes over the service's bus, how much of it, and who listens. */
export function busView(app: App): View {
  const panes = [busPane(app), new BusCountersPane(app)];
  return { id: "bus", title: own`Bus`, panes, layout: inTwo(0.6) };
}
