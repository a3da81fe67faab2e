import { alone } from "../app/layout.ts";
import type { View } from "../app/view.ts";
import type { ChatPane } from "../chat/chat-pane.ts";
import { own } from "../frame/safe-text.ts";

/** A conversation on the whole screen. @param pane which other views may show too */
export function chatView(pane: ChatPane): View {
  return {
    id: "chat",
    title: own`Chat`,
    panes: [pane],
    layout: alone,
    show: (key) => pane.open(key),
  };
}
