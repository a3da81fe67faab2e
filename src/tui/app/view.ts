import type { SafeText } from "../frame/safe-text.ts";
import { type ViewId, viewIds } from "./app.ts";
import type { Layout } from "./layout.ts";
import type { Pane } from "./pane.ts";

/** What one of the keys F1 to F8 shows: panes, the first of which has the focus at first. */
export type View = {
  readonly id: ViewId;
  readonly title: SafeText;
  /** Behind the title: how many wait. */
  readonly count?: () => number;
  readonly panes: readonly Pane[];
  readonly layout: Layout;
  /** Chooses what has this id: `app.go("runs", "r7")`. */
  show?(id: string): void;
};

/** The keys of a view: its digit, and F with it. */
export function numberOf({ id }: Pick<View, "id">): number {
  return viewIds.indexOf(id) + 1;
}
