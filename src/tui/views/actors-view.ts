import type { App } from "../app/app.ts";
import { inFour } from "../app/layout.ts";
import type { Pane } from "../app/pane.ts";
import type { View } from "../app/view.ts";
import { own } from "../frame/safe-text.ts";
import { ActorDetailPane } from "../panes/actor-detail-pane.ts";
import { ActorTreePane } from "../panes/actor-tree-pane.ts";
import { busPane } from "../panes/bus-pane.ts";
import { actorHints, actorKey } from "../poke/actor-actions.ts";

/** Every actor, and the chosen one in detail; where there is room also what happens, and a conversation. */
export function actorsView(app: App, chat: Pane): View {
  const detail = new ActorDetailPane(app);
  const tree = new ActorTreePane(app, {
    onChoice: (actor) => detail.show(actor),
    onKey: ({ name }, actor) => actorKey(app, name, actor),
    hints: actorHints,
  });
  return {
    id: "actors",
    title: own`Actors`,
    panes: [tree, detail, busPane(app), chat],
    layout: inFour(0.45),
    show: (address) => tree.choose(address),
  };
}
