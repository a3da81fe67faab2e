import type { App } from "../app/app.ts";
import type { Line } from "../frame/frame.ts";
import { blank, line } from "../frame/line.ts";
import { own, safe, wrapped } from "../frame/safe-text.ts";
import { type AuditFilter } from "../model/audit-log.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";

/** Reads the whole chain again: whether a row was changed, removed or added. */
export async function verifyChain(app: App): Promise<void> {
  app.say(own`reading the whole chain …`);
  const report = await app.ask("audit.verify", {});
  if (report === undefined) return;
  const { ok, rows, fault } = report;
  if (ok) return app.say(own`the chain of ${rows} rows is whole`, "good");
  const at = fault === null ? own`` : own` at row ${fault.n}: ${safe(fault.message)}`;
  app.say(own`the chain is broken${at}`, "bad");
}

/** How the rows that are shown get into a file. */
export function showExport(app: App, filter: AuditFilter): void {
  const options = Object.entries(filter).map(([name, value]) => ` --${name} ${quoted(value)}`);
  const command = safe(`statehive audit export --format csv${options.join("")} > audit.csv`);
  const lines = (width: number): Line[] => [
    ...wrapped(own`In a shell, also while the service is stopped:`, width).map((text) =>
      line(text),
    ),
    blank,
    ...wrapped(command, width).map((text) => line(text, { bold: true })),
    blank,
    ...wrapped(
      own`Without --format csv it prints one JSON object a line. All rows that match are written, not only those that are shown here.`,
      width,
    ).map((text) => line(text)),
  ];
  app.open(new TextOverlay({ title: own`export the audit`, lines }));
}

/** As one word of a shell. */
function quoted(value: string): string {
  return /^[\w.:/@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
