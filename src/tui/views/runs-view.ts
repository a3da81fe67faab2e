import type { ShownRun } from "../../schema/socket/protocol.ts";
import type { App } from "../app/app.ts";
import { above } from "../app/layout.ts";
import type { Hint } from "../app/pane.ts";
import type { View } from "../app/view.ts";
import { own, safe } from "../frame/safe-text.ts";
import { jsonLines } from "../look/json-lines.ts";
import { LivingRuns } from "../model/living-runs.ts";
import { Records } from "../model/records.ts";
import type { RunRecord } from "../model/run-record.ts";
import { type RunRow, RunTree } from "../model/run-tree.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import { runColumns } from "../panes/run-columns.ts";
import { RunDetailPane } from "../panes/run-detail-pane.ts";
import { cancelRun } from "../poke/cancel-run.ts";
import { poke } from "../poke/poke.ts";
import { forkAtEnd } from "../replay/fork.ts";
import { ReplayOverlay } from "../replay/replay-overlay.ts";
import type { Key } from "../screen.ts";
import { ListPane } from "../widgets/list-pane.ts";

const hints: readonly Hint[] = [
  { keys: own`Enter`, does: own`unfold` },
  { keys: own`r`, does: own`replay` },
  { keys: own`c`, does: own`cancel` },
  { keys: own`e`, does: own`send event` },
  { keys: own`F`, does: own`fork` },
  { keys: own`s`, does: own`session` },
  { keys: own`i`, does: own`JSON` },
];

/** Every run, newest first, what runs under it, and the chosen one in detail. */
export function runsView(app: App): View {
  const records = new Records<RunRecord>(app, (id) => readRun(app, id));
  const tree = new RunTree(app.model, new LivingRuns(app.model.actors), records);
  const detail = new RunDetailPane(app, tree);
  const list = new ListPane<RunRow>(app, {
    title: () => own`runs`,
    rows: () => tree.rows(),
    idOf: ({ id }) => id,
    columns: runColumns(app),
    fieldsOf: ({ fields }) => fields,
    tracesOf: ({ run }) => [run.trace_id],
    addressOf: actorOf,
    isCounted: ({ kind }) => kind === "run",
    empty: own`no run yet: a message begins one`,
    onKey: (key, row) => row !== undefined && (fold(key.name, row) || act(app, key, row)),
    onChoice: (row) => detail.show(row),
    hints,
  });
  const fold = (name: string, row: RunRow): boolean => {
    const id = row.run.run_id;
    const isOpen = tree.isUnfolded(id);
    const opens = !isOpen && ["enter", "right", "l"].includes(name);
    const closes =
      isOpen && (name === "left" || name === "h" || (name === "enter" && row.id === id));
    if (opens || closes) tree.fold(id, opens);
    if (closes) list.cursor.choose(id);
    return opens || closes;
  };
  return {
    id: "runs",
    title: own`Runs`,
    count: () => app.model.status?.runs ?? 0,
    panes: [list, detail],
    layout: above(0.55),
    show(id) {
      list.filter.text = "";
      list.cursor.choose(id);
    },
  };
}

/** Its actor is there for some days after its end. */
async function readRun({ service }: App, id: string): Promise<RunRecord> {
  const shown = await service.call("runs.show", { id });
  const actor = await service.call("actor.get", { address: shown.address }).catch(() => undefined);
  return { shown, actor };
}

function act(app: App, { name }: Key, row: RunRow): boolean {
  const { run } = row;
  const acts: { readonly [key: string]: () => unknown } = {
    enter: () => row.kind === "approval" && app.go("approvals", row.approval.id),
    r: () => app.open(new ReplayOverlay(app, run.run_id)),
    c: () => cancelRun(app, run),
    e: () => pokeRow(app, row),
    F: () => forkAtEnd(app, run),
    s: () => app.go("sessions", run.session_id),
    i: () => showJson(app, run),
  };
  const chosen = Object.hasOwn(acts, name) ? acts[name] : undefined;
  chosen?.();
  return chosen !== undefined;
}

function pokeRow(app: App, row: RunRow): unknown {
  const address = actorOf(row);
  if (address !== undefined) return poke(app, address);
  return app.say(own`${safe(row.run.run_id)} has ended: nothing can be sent to it`);
}

/** The one that lives: the call's or the approval's own, else the run's. */
function actorOf(row: RunRow): string | undefined {
  if (row.kind === "approval") return row.approval.address;
  const call = row.kind === "call" || row.kind === "decision" ? row.call.actor : undefined;
  return call?.address ?? (row.run.ended_at === null ? row.run.address : undefined);
}

async function showJson(app: App, { run_id }: ShownRun): Promise<void> {
  const shown = await app.ask("runs.show", { id: run_id });
  if (shown === undefined) return;
  const lines = (width: number) => jsonLines(shown, width);
  app.open(new TextOverlay({ title: own`run ${safe(run_id)}`, lines }));
}
