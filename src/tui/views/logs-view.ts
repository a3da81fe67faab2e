import type { App } from "../app/app.ts";
import { inTwo } from "../app/layout.ts";
import type { View } from "../app/view.ts";
import { own } from "../frame/safe-text.ts";
import { logPane } from "../panes/log-pane.ts";
import { WaterfallPane } from "../panes/waterfall-pane.ts";

/** The log, and beside it what was done for the chosen trace over time. */
export function logsView(app: App): View {
  const log = logPane(app);
  const waterfall = new WaterfallPane(app, () => log.trace());
  return { id: "logs", title: own`Logs`, panes: [log, waterfall], layout: inTwo(0.55) };
}
