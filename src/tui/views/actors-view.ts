import type { ActorStateRow } from "../../schema/actor-view.ts";
import type { App } from "../app/app.ts";
import { inFour } from "../app/layout.ts";
import type { Pane } from "../app/pane.ts";
import type { View } from "../app/view.ts";
import { own } from "../frame/safe-text.ts";
import { jsonLines } from "../look/json-lines.ts";
import { nameOf } from "../look/actor-look.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import { ActorDetailPane } from "../panes/actor-detail-pane.ts";
import { ActorTreePane } from "../panes/actor-tree-pane.ts";
import { busPane } from "../panes/bus-pane.ts";
import { cancelActor, poke } from "../poke/poke.ts";
import type { Key } from "../screen.ts";

/** Every actor, and the chosen one in detail; where there is room also what happens, and a conversation. */
export function actorsView(app: App, chat: Pane): View {
  const detail = new ActorDetailPane(app);
  const tree = new ActorTreePane(app, {
    onChoice: (actor) => detail.show(actor),
    onKey: (key, actor) => actorKey(app, key, actor),
    hints: [
      { keys: own`e`, does: own`send event` },
      { keys: own`c`, does: own`cancel` },
      { keys: own`i`, does: own`JSON` },
    ],
  });
  return {
    id: "actors",
    title: own`Actors`,
    panes: [tree, detail, busPane(app), chat],
    layout: inFour(0.45),
    show: (address) => tree.choose(address),
  };
}

/** Keys that mean the same wherever an actor is chosen. */
export function actorKey(app: App, { name }: Key, actor: ActorStateRow): boolean {
  switch (name) {
    case "e":
      void poke(app, actor.address);
      return true;
    case "c":
      void cancelActor(app, actor.address);
      return true;
    case "i":
      void showJson(app, actor);
      return true;
    default:
      return false;
  }
}

async function showJson(app: App, actor: ActorStateRow): Promise<void> {
  const details = await app.ask("actor.get", { address: actor.address });
  if (details === undefined) return;
  app.open(new TextOverlay({ title: nameOf(actor), lines: (width) => jsonLines(details, width) }));
}
