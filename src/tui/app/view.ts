import type { SafeText } from "../frame/safe-text.ts";
import type { ViewId } from "./app.ts";
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
};
