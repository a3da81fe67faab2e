import { auditTable } from "../../schema/rows/audit-rows.ts";
import type { SystemContext } from "../../schema/contexts/system-context.ts";
import { fileOriginTable } from "../../schema/rows/file-origin-rows.ts";
import { ofNobody, unaskedEntry } from "../audit-entry.ts";
import { effects, putRow, removeRow } from "../effect-actions.ts";
import type { SystemEvent } from "./system-events.ts";

/** From now on whoever reads the file reads text of the owner's own. */
export const clearMark = effects<SystemContext, SystemEvent>(({ event }) => {
  if (event.type !== "mark.clear") return [];
  const { workspace, path, origins, by, $ } = event;
  const about = { ...ofNobody, trace_id: $.trace, input: { workspace, path, origins } };
  const reason = `${by} says that ${path} holds no text of ${origins.join(", ")}.`;
  const row = unaskedEntry("decision", about, { at: $.at, by, status: "cleared", reason });
  return [removeRow(fileOriginTable, workspace, path), putRow(auditTable, row)];
});
