import { make, type Part } from "./dom.ts";

export type Row = {
  readonly key: string;
  readonly kind: string;
  readonly parts: readonly Part[];
  /** In a tree, from 1. */
  readonly level?: number;
};

export type RowListOptions = {
  readonly role: "option" | "treeitem";
  /** Shown where there is nothing. */
  readonly empty: string;
  choose(key: string): void;
};

type Shown = { readonly element: HTMLElement; readonly row: Row };

/** Rows of which one is chosen, by mouse or keys. Rows that stay the same keep their element. */
export class RowList {
  private readonly box: HTMLElement;
  private readonly options: RowListOptions;
  private shown: readonly Shown[] = [];
  private chosen: string | null = null;
  private made = 0;

  constructor(box: HTMLElement, options: RowListOptions) {
    this.box = box;
    this.options = options;
    box.addEventListener("keydown", (event) => this.onKey(event));
  }

  show(rows: readonly Row[], chosen: string | null): void {
    const known = new Map(this.shown.map((shown) => [shown.row.key, shown]));
    this.shown = rows.map((row) => {
      const before = known.get(row.key);
      return before !== undefined && isSame(before.row, row) ? before : this.make(row);
    });
    const elements = this.shown.map(({ element }) => element);
    const { ownerDocument: document, children } = this.box;
    const empty = make(document, "p", { kind: "told", text: this.options.empty });
    const wanted = elements.length === 0 ? [empty] : elements;
    const isChanged =
      wanted.length !== children.length || wanted.some((element, at) => element !== children[at]);
    if (isChanged) this.box.replaceChildren(...wanted);
    this.mark(chosen);
  }

  private make(row: Row): Shown {
    const { ownerDocument: document } = this.box;
    const { role } = this.options;
    const element = make(document, "div", { kind: `row ${row.kind}`, text: "" });
    this.made += 1;
    element.id = `${role}-${this.made}`;
    element.setAttribute("role", role);
    if (row.level !== undefined) {
      element.setAttribute("aria-level", String(row.level));
      element.classList.add(`level-${Math.min(row.level, 5)}`);
    }
    element.append(...row.parts.map((part) => make(document, "span", part)));
    element.addEventListener("click", () => this.options.choose(row.key));
    return { element, row };
  }

  private mark(chosen: string | null): void {
    const isNew = chosen !== this.chosen;
    this.chosen = chosen;
    this.box.removeAttribute("aria-activedescendant");
    for (const { element, row } of this.shown) {
      const isChosen = row.key === chosen;
      element.setAttribute("aria-selected", String(isChosen));
      if (!isChosen) continue;
      this.box.setAttribute("aria-activedescendant", element.id);
      if (isNew) this.reveal(element);
    }
  }

  private reveal({ offsetTop, offsetHeight }: HTMLElement): void {
    const { box } = this;
    const top = offsetTop - box.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    const below = top + offsetHeight - box.clientHeight;
    if (below > box.scrollTop) box.scrollTop = below;
  }

  private onKey(event: KeyboardEvent): void {
    const at = this.shown.findIndex(({ row }) => row.key === this.chosen);
    const next = this.placeFor(event.key, at);
    if (next === undefined) return;
    event.preventDefault();
    const wanted = this.shown[Math.max(0, Math.min(next, this.shown.length - 1))];
    if (wanted !== undefined) this.options.choose(wanted.row.key);
  }

  private placeFor(key: string, at: number): number | undefined {
    if (key === "ArrowDown") return at + 1;
    if (key === "ArrowUp") return at - 1;
    if (key === "Home") return 0;
    if (key === "End") return this.shown.length - 1;
    const level = this.shown[at]?.row.level;
    if (level === undefined) return undefined;
    if (key === "ArrowLeft") {
      return this.shown.findLastIndex(({ row }, index) => index < at && (row.level ?? 0) < level);
    }
    const isParent = (this.shown[at + 1]?.row.level ?? 0) > level;
    return key === "ArrowRight" && isParent ? at + 1 : undefined;
  }
}

function isSame(a: Row, b: Row): boolean {
  const isAlike = a.kind === b.kind && a.level === b.level && a.parts.length === b.parts.length;
  return (
    isAlike &&
    a.parts.every(({ text, kind }, at) => text === b.parts[at]?.text && kind === b.parts[at]?.kind)
  );
}
