import type { ActorStateRow } from "../../schema/shown/actor-view.ts";
import { age } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import type { Hint, Pane } from "../app/pane.ts";
import type { Line, Size, Span } from "../frame/frame.ts";
import { apart, fitLine, line, span, styled, widthOf } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, repeated, safe, type SafeText } from "../frame/safe-text.ts";
import { lookOf, nameOf } from "../look/actor-look.ts";
import { treeOf, type TreeRow } from "../model/actor-tree.ts";
import type { Key } from "../screen.ts";
import { type Fields, parseFilter } from "../widgets/filter.ts";
import { chosenMarks } from "../widgets/list-pane.ts";
import { RowCursor } from "../widgets/row-cursor.ts";

export type ActorTreeOptions = {
  readonly onChoice: (actor: ActorStateRow | undefined) => void;
  /** A key that is about the chosen actor. */
  readonly onKey: (key: Key, actor: ActorStateRow) => boolean;
  readonly hints: readonly Hint[];
};

const stateWidth = 22;
/** `? awaiting_approval`. */
const narrowStateWidth = 20;
const ageWidth = 6;
/** Below this the names need the room of the ages and of half the indentation. */
const wideEnoughForAges = 50;

/** Every actor that lives, below its parent, with its state. */
export class ActorTreePane implements Pane {
  readonly filter = { text: "" };
  readonly hints: readonly Hint[];
  private readonly app: App;
  private readonly options: ActorTreeOptions;
  private readonly cursor = new RowCursor<TreeRow>(({ address }) => address);
  private readonly folded = new Set<string>();
  private built: { readonly of: string; readonly rows: readonly TreeRow[] } | undefined;
  private told: ActorStateRow | undefined;

  constructor(app: App, options: ActorTreeOptions) {
    this.app = app;
    this.options = options;
    this.hints = [
      ...options.hints,
      { keys: own`↑↓`, does: own`move` },
      { keys: own`←→`, does: own`fold` },
      { keys: own`/`, does: own`filter` },
    ];
  }

  title(): SafeText {
    return own`actors`;
  }

  note(): Line {
    const all = this.app.model.actors.size;
    return [span(this.isNarrowed() ? own`${this.rows().length} of ${all}` : own`${all}`)];
  }

  draw({ columns, rows: height }: Size, isFocused: boolean): Picture {
    const rows = this.rows();
    const { first, chosen } = this.cursor.window(rows, height);
    this.tell(rows[chosen]);
    if (rows.length === 0) return { lines: [line(this.emptyText(), { fg: "grey" })] };
    const mark = chosenMarks[isFocused ? "focused" : "resting"];
    const lines = rows.slice(first, first + height).map((row, index) => {
      const drawn = this.row(row, columns);
      return first + index === chosen ? styled(fitLine(drawn, columns), mark) : drawn;
    });
    return { lines };
  }

  key(key: Key): boolean {
    const rows = this.rows();
    const row = this.cursor.chosen(rows);
    const actor = row && this.app.model.actors.get(row.address);
    if (actor !== undefined && this.options.onKey(key, actor)) return true;
    if (row !== undefined && (this.unfold(key, row) || this.fold(key, row))) return true;
    return this.cursor.key(key, rows);
  }

  trace(): string | undefined {
    return this.chosen()?.trace;
  }

  address(): string | undefined {
    return this.chosen()?.address;
  }

  chosen(): ActorStateRow | undefined {
    const row = this.cursor.chosen(this.rows());
    return row && this.app.model.actors.get(row.address);
  }

  /** Shows this actor, if it lives. */
  choose(address: string): void {
    this.filter.text = "";
    for (const folded of this.folded)
      if (address.startsWith(`${folded}/`)) this.folded.delete(folded);
    this.built = undefined;
    this.cursor.choose(address);
  }

  private row({ address, depth, below, isFolded }: TreeRow, columns: number): Line {
    const actor = this.app.model.actors.get(address);
    if (actor === undefined) return [];
    const { glyph, style } = lookOf(actor);
    const fold = isFolded ? own`▸ ` : below > 0 ? own`▾ ` : own`  `;
    const hidden = isFolded ? own` (${below})` : own``;
    const isOver = actor.status !== "active";
    const isNarrow = columns < wideEnoughForAges;
    const name: Span = span(
      own`${repeated(isNarrow ? own` ` : own`  `, depth)}${fold}${nameOf(actor)}${hidden}`,
      isOver ? { fg: "grey" } : {},
    );
    const since = safe(age(actor.since, this.app.timers.now()));
    const state = [span(own`${glyph} ${safe(actor.state)}`, style)];
    const right: Line = isNarrow
      ? fitLine(state, narrowStateWidth)
      : [...fitLine(state, stateWidth), ...fitLine([span(since, { fg: "grey" })], ageWidth)];
    return columns > widthOf(right) + 12 ? apart([name], right, columns) : [name];
  }

  private unfold({ name }: Key, { address, isFolded }: TreeRow): boolean {
    if (!isFolded || !["right", "l", "enter"].includes(name)) return false;
    this.folded.delete(address);
    this.built = undefined;
    return true;
  }

  private fold({ name }: Key, { address, below, isFolded }: TreeRow): boolean {
    if (name !== "left" && name !== "h" && name !== "enter") return false;
    if (below > 0 && !isFolded) this.folded.add(address);
    else if (name === "enter") return false;
    else {
      const parent = this.app.model.actors.get(address)?.parent;
      if (parent !== undefined && parent !== null) this.cursor.choose(parent);
    }
    this.built = undefined;
    return true;
  }

  private isNarrowed(): boolean {
    return this.filter.text.trim() !== "" || this.app.trace !== undefined;
  }

  private rows(): readonly TreeRow[] {
    const { actors } = this.app.model;
    const { trace } = this.app;
    const isNarrowed = this.isNarrowed();
    const of = isNarrowed
      ? `${actors.version} ${trace ?? ""} ${this.filter.text}`
      : `${actors.membership}`;
    if (this.built?.of === of) return this.built.rows;
    const matchesText = parseFilter(this.filter.text);
    const matches = (actor: ActorStateRow) =>
      (trace === undefined || actor.trace === trace) && matchesText(fieldsOf(actor));
    const rows = treeOf(actors.all(), {
      isFolded: (address) => this.folded.has(address),
      ...(isNarrowed ? { matches } : {}),
    });
    this.built = { of, rows };
    return rows;
  }

  private emptyText(): SafeText {
    if (this.isNarrowed()) return own`nothing matches; Esc clears the filter`;
    return this.app.model.status === undefined ? own`attaching …` : own`no actor lives`;
  }

  private tell(row: TreeRow | undefined): void {
    const actor = row && this.app.model.actors.get(row.address);
    if (actor === this.told) return;
    this.told = actor;
    this.options.onChoice(actor);
  }
}

function fieldsOf({ address, kind, state, status, tags, trace }: ActorStateRow): Fields {
  const [, agent = ""] = /^session\/[^/]*:([^:/]+)(?:\/|$)/.exec(address) ?? [];
  return { address, kind, state, status, tags: tags.join(" "), trace, agent };
}
