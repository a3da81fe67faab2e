import type { ParamsOf, ShownAudit } from "../../schema/socket/protocol.ts";
import type { App } from "../app/app.ts";
import { throttled } from "../app/timers.ts";
import { namedIn } from "../widgets/filter.ts";

/** The audit as far as it was asked for, newest first. The service filters by these; what was asked with one filter is a list of
 *  its own without gaps. */
export const askedFields = ["trace", "task", "run", "session", "agent", "tool", "status"] as const;
export type AuditFilter = { readonly [name in (typeof askedFields)[number]]?: string };

type Known = { rows: readonly ShownAudit[]; isWhole: boolean };

const pageRows = 200;
/** Asked for again and again; if there are more new ones than these, the list begins anew with them. */
const newestRows = 50;
const askEveryMs = 500;
const refreshEveryMs = 3_000;
const mostFilters = 20;

export class AuditLog {
  private readonly app: App;
  private readonly known = new Map<string, Known>();
  private readonly askSoon: () => void;
  private filter: AuditFilter = {};
  private isAsking = false;
  private merged: { readonly of: readonly unknown[]; readonly rows: readonly ShownAudit[] } = {
    of: [],
    rows: [],
  };

  constructor(app: App) {
    this.app = app;
    this.askSoon = throttled(app.timers, askEveryMs, () => void this.askNewest());
    this.refresh = throttled(app.timers, refreshEveryMs, this.askSoon);
  }

  /** Rows that may match: those that the service found, and of all rows those that are known. */
  rows(): readonly ShownAudit[] {
    const found = this.known.get(keyOf(this.filter))?.rows ?? [];
    const all = this.known.get(keyOf({}))?.rows ?? [];
    if (found === all || found.length === 0) return all;
    if (this.merged.of[0] !== found || this.merged.of[1] !== all)
      this.merged = { of: [found, all], rows: mergedRows(found, all) };
    return this.merged.rows;
  }

  /** Whether there is nothing older. */
  get isWhole(): boolean {
    return this.known.get(keyOf(this.filter))?.isWhole ?? false;
  }

  /** From now on rows like these are wanted. */
  want(filter: AuditFilter): void {
    if (keyOf(filter) === keyOf(this.filter)) return;
    this.filter = filter;
    this.askSoon();
  }

  /** There may be newer ones. */
  readonly refresh: () => void;

  async askOlder(): Promise<void> {
    const known = this.known.get(keyOf(this.filter));
    const last = known?.rows.at(-1);
    if (known === undefined || last === undefined || known.isWhole) return;
    await this.ask({ before_n: last.n, limit: pageRows }, (older) => ({
      rows: [...known.rows, ...older],
      isWhole: older.length < pageRows,
    }));
  }

  private async askNewest(): Promise<void> {
    const known = this.known.get(keyOf(this.filter));
    const limit = known === undefined ? pageRows : newestRows;
    await this.ask({ limit }, (newest) => {
      const oldest = newest.at(-1)?.n ?? 0;
      if (newest.length < limit) return { rows: newest, isWhole: true };
      const [last] = known?.rows ?? [];
      if (known === undefined || last === undefined || last.n < oldest)
        return { rows: newest, isWhole: false };
      const older = known.rows.filter(({ n }) => n < oldest);
      return { rows: [...newest, ...older], isWhole: known.isWhole };
    });
  }

  private async ask(
    page: Pick<ParamsOf<"audit.query">, "before_n" | "limit">,
    into: (rows: readonly ShownAudit[]) => Known,
  ): Promise<void> {
    const { service, model } = this.app;
    const { filter } = this;
    if (this.isAsking || model.detachedAt !== null) return;
    this.isAsking = true;
    const rows = await service.call("audit.query", { ...filter, ...page }).catch(() => undefined);
    this.isAsking = false;
    if (rows !== undefined) this.keep(keyOf(filter), into(rows));
    if (keyOf(filter) !== keyOf(this.filter)) this.askSoon();
    this.app.changed();
  }

  private keep(key: string, known: Known): void {
    const isNew = !this.known.has(key);
    this.known.set(key, known);
    if (!isNew || this.known.size <= mostFilters) return;
    const forgotten = [...this.known.keys()].find((each) => each !== keyOf({}) && each !== key);
    if (forgotten !== undefined) this.known.delete(forgotten);
  }
}

/** Of what was typed, that which the service looks for in all its rows. */
export function auditFilterOf(text: string, trace: string | undefined): AuditFilter {
  const named = namedIn(text);
  const asked = askedFields.flatMap((name) => {
    const wanted = name === "trace" ? (trace ?? named[name]) : named[name];
    return wanted === undefined ? [] : [[name, wanted]];
  });
  return Object.fromEntries(asked) as AuditFilter;
}

function keyOf(filter: AuditFilter): string {
  return askedFields.map((name) => filter[name] ?? "").join("\n");
}

function mergedRows(
  found: readonly ShownAudit[],
  all: readonly ShownAudit[],
): readonly ShownAudit[] {
  const known = new Set(found.map(({ n }) => n));
  return [...found, ...all.filter(({ n }) => !known.has(n))].toSorted((a, b) => b.n - a.n);
}
