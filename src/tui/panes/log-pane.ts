import { type LogLevel, logLevels, type LogRecord } from "../../schema/shown/log-record.ts";
import type { App } from "../app/app.ts";
import { own } from "../frame/safe-text.ts";
import { jsonLines } from "../look/json-lines.ts";
import { logLine } from "../look/log-line.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import type { Fields } from "../widgets/filter.ts";
import { ListPane } from "../widgets/list-pane.ts";

/** The service's log, the newest record at the end. */
export function logPane(app: App): ListPane<LogRecord> {
  const ids = new WeakMap<LogRecord, string>();
  let given = 0;
  const idOf = (record: LogRecord) => {
    const id = ids.get(record) ?? `${(given += 1)}`;
    ids.set(record, id);
    return id;
  };
  return new ListPane<LogRecord>(app, {
    title: () => own`log`,
    rows: () => app.model.logs.rows,
    idOf,
    lineOf: logLine,
    fieldsOf,
    fieldTests: { level: isAtLeast },
    tracesOf: (record) => {
      const trace = traceOf(record);
      return trace === undefined ? [] : [trace];
    },
    empty: own`nothing was logged yet`,
    follows: true,
    onKey({ name }, chosen) {
      if (name !== "enter" || chosen === undefined) return false;
      const lines = (width: number) => jsonLines(chosen, width);
      app.open(new TextOverlay({ title: own`log record`, lines }));
      return true;
    },
    hints: [{ keys: own`Enter`, does: own`whole record` }],
  });
}

function traceOf(record: LogRecord): string | undefined {
  const trace = record["trace_id"];
  return typeof trace === "string" ? trace : undefined;
}

/** Every field by its name, and the usual ones by their short names. */
function fieldsOf(record: LogRecord): Fields {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    fields[name] = text;
    if (name.endsWith("_id")) fields[name.slice(0, -"_id".length)] = text;
  }
  return fields;
}

/** `level:warn` finds errors too. */
function isAtLeast(wanted: string, { level }: Fields): boolean {
  const least = logLevels.findIndex((each) => each.startsWith(wanted));
  return least >= 0 && logLevels.indexOf(level as LogLevel) >= least;
}
