import type { GlobalKeys } from "../app/global-keys.ts";
import { numberOf } from "../app/view.ts";
import { own } from "../frame/safe-text.ts";
import { type Choice, Picker } from "./picker.ts";

type Command = Choice & { readonly run: () => void };

/** What can be done from everywhere, by name. */
export function paletteFor(tui: GlobalKeys): Picker<Command> {
  const views = tui.views.map((view): Command => ({
    name: view.title,
    about: own`show it (F${numberOf(view)})`,
    run: () => tui.go(view.id),
  }));
  const others: Command[] = [
    { name: own`Help`, about: own`what keys do here (?)`, run: () => tui.help() },
    { name: own`Leave`, about: own`the service goes on (q)`, run: () => tui.leave() },
  ];
  return new Picker(tui, {
    title: own`what do you want to do?`,
    choices: [...views, ...others],
    onPick: ({ run }) => run(),
  });
}
