import type { ShownAudit } from "../../schema/socket/protocol.ts";
import type { App } from "../app/app.ts";
import { inTwo } from "../app/layout.ts";
import type { View } from "../app/view.ts";
import { own, safe } from "../frame/safe-text.ts";
import { auditColumns, auditDetailLines, auditFields } from "../look/audit-look.ts";
import { auditFilterOf, AuditLog } from "../model/audit-log.ts";
import { MemorySearch } from "../memory/memory-search.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import { AuditDetailPane } from "../panes/audit-detail-pane.ts";
import { showExport, verifyChain } from "../panes/audit-acts.ts";
import type { Key } from "../screen.ts";
import { ListPane } from "../widgets/list-pane.ts";

/** Who decided what, what ran, and what people sent by hand: the newest first, as far back as it is kept. From here what is
 *  remembered is searched, too. */
export function auditView(app: App): View {
  const log = new AuditLog(app);
  const detail = new AuditDetailPane();
  let seenSteps = -1;
  const filter = () => auditFilterOf(list.filter.text, app.trace);
  const rows = () => {
    log.want(filter());
    if (seenSteps !== app.model.steps.added) log.refresh();
    seenSteps = app.model.steps.added;
    return log.rows();
  };
  const list: ListPane<ShownAudit> = new ListPane<ShownAudit>(app, {
    title: () => (log.isWhole ? own`audit` : own`audit, PgDn at the end: older`),
    rows,
    idOf: ({ n }) => String(n),
    columns: auditColumns,
    fieldsOf: auditFields,
    tracesOf: ({ trace_id }) => [trace_id],
    empty: own`nothing was decided yet`,
    onChoice: (row) => detail.show(row),
    onKey: (key, chosen) => auditKey(key, chosen),
    hints: [
      { keys: own`Enter`, does: own`whole row` },
      { keys: own`v`, does: own`verify` },
      { keys: own`E`, does: own`export` },
      { keys: own`m`, does: own`older` },
      { keys: own`s`, does: own`search memory` },
    ],
  });
  const auditKey = ({ name }: Key, chosen: ShownAudit | undefined): boolean => {
    if (name === "v") void verifyChain(app);
    else if (name === "E") showExport(app, filter());
    else if (name === "m") void log.askOlder();
    else if (name === "s") app.open(new MemorySearch(app));
    else if (name === "enter" && chosen !== undefined) showRow(app, chosen);
    else {
      if (goesDown.has(name) && chosen === list.rows().at(-1)) void log.askOlder();
      return false;
    }
    return true;
  };
  return { id: "audit", title: own`Audit`, panes: [list, detail], layout: inTwo(0.62) };
}

const goesDown = new Set(["down", "j", "pagedown", "C-f", "end", "G"]);

function showRow(app: App, row: ShownAudit): void {
  const lines = (width: number) => auditDetailLines(row, width);
  app.open(new TextOverlay({ title: own`audit row ${safe(String(row.n))}`, lines }));
}
