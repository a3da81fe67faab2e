import type { App } from "../app/app.ts";
import { ChatPane } from "../chat/chat-pane.ts";
import { chatView } from "./chat-view.ts";
import type { View } from "../app/view.ts";
import { actorsView } from "./actors-view.ts";
import { approvalsView } from "./approvals-view.ts";
import { auditView } from "./audit-view.ts";
import { busView } from "./bus-view.ts";
import { logsView } from "./logs-view.ts";
import { runsView } from "./runs-view.ts";
import { sessionsView } from "./sessions-view.ts";

/** In the order of their keys. */
export function allViews(app: App): readonly [View, ...View[]] {
  const chat = new ChatPane(app);
  return [
    actorsView(app, chat),
    sessionsView(app),
    runsView(app),
    approvalsView(app),
    busView(app),
    logsView(app),
    chatView(chat),
    auditView(app),
  ];
}
