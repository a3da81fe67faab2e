import type { ActorDetails, ActorStateRow } from "../../schema/shown/actor-view.ts";
import type { App } from "../app/app.ts";
import type { Hint } from "../app/pane.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { nameOf } from "../look/actor-look.ts";
import { jsonLines } from "../look/json-lines.ts";
import { type Choice, Picker } from "../overlays/picker.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import { ReplayOverlay } from "../replay/replay-overlay.ts";
import { cancelActor, poke } from "./poke.ts";
import { saveJson } from "./save-json.ts";

/** All that can be done with a chosen actor: by keys, and by name in a menu. */

type Action = {
  readonly key: string;
  readonly name: SafeText;
  readonly about: SafeText;
  readonly run: (app: App, actor: ActorStateRow) => unknown;
  /** Of which actors; of all, if absent. */
  readonly suits?: (actor: ActorStateRow) => boolean;
};

const actions: readonly Action[] = [
  {
    key: "e",
    name: own`send event`,
    about: own`one that it accepts now, with its payload`,
    run: (app, { address }) => poke(app, address),
  },
  {
    key: "c",
    name: own`cancel`,
    about: own`what ends it, with a reason`,
    run: (app, { address }) => cancelActor(app, address),
  },
  {
    key: "i",
    name: own`JSON`,
    about: own`all that the service shows of it`,
    run: (app, actor) => showJson(app, actor),
  },
  {
    key: "w",
    name: own`write JSON`,
    about: own`the same, into a new file in this folder`,
    run: (app, actor) => writeJson(app, actor),
  },
  {
    key: "o",
    name: own`open`,
    about: own`it in the view of sessions, runs or approvals`,
    run: (app, actor) => openIn(app, actor),
    suits: (actor) => actor.kind === "approval" || actor.kind === "session" || isOfRun(actor),
  },
  {
    key: "r",
    name: own`replay`,
    about: own`its run, step by step`,
    run: (app, { address }) => app.open(new ReplayOverlay(app, runIdOf(address) ?? "")),
    suits: isOfRun,
  },
];

export const actorHints: readonly Hint[] = [
  { keys: own`e`, does: own`send event` },
  { keys: own`c`, does: own`cancel` },
  { keys: own`i`, does: own`JSON` },
  { keys: own`x`, does: own`all actions` },
];

/** @returns whether it was a key for the chosen actor */
export function actorKey(app: App, name: string, actor: ActorStateRow): boolean {
  if (name === "x") menu(app, actor);
  else {
    const action = actions.find(({ key }) => key === name);
    if (action === undefined || action.suits?.(actor) === false) return false;
    action.run(app, actor);
  }
  return true;
}

function menu(app: App, actor: ActorStateRow): void {
  const choices = actions
    .filter(({ suits }) => suits?.(actor) !== false)
    .map((action): Choice & Action => ({
      ...action,
      about: own`${action.about} (${safe(action.key)})`,
    }));
  app.open(
    new Picker(app, {
      title: own`${nameOf(actor)}, which is ${safe(actor.state)}`,
      choices,
      onPick: ({ run }) => void run(app, actor),
    }),
  );
}

async function showJson(app: App, actor: ActorStateRow): Promise<void> {
  const details = await app.ask("actor.get", { address: actor.address });
  if (details === undefined) return;
  app.open(new TextOverlay({ title: nameOf(actor), lines: (width) => jsonLines(details, width) }));
}

async function writeJson(app: App, actor: ActorStateRow): Promise<void> {
  const details = await app.ask("actor.get", { address: actor.address });
  if (details === undefined) return;
  const { written, fault } = await saveJson(process.cwd(), fileName(details), details);
  if (fault === undefined) app.say(own`written: ${safe(written)}`, "good");
  else app.say(own`${safe(written)} was not written: ${safe(fault)}`, "bad");
}

/** `run-r7-step-41` */
function fileName({ address, kind, seq }: ActorDetails): string {
  return `${kind}-${address.split("/").at(-1) ?? ""}-step-${seq}`;
}

function openIn(app: App, { address, kind }: ActorStateRow): void {
  const id = address.split("/").at(-1) ?? "";
  if (kind === "approval") return app.go("approvals", id);
  const runId = runIdOf(address);
  if (runId !== undefined) return app.go("runs", runId);
  const session = app.model.sessions.find((each) => each.address === address);
  if (session === undefined) return app.say(own`the session is not among the newest`);
  app.go("sessions", session.session_id);
}

function isOfRun({ address }: ActorStateRow): boolean {
  return runIdOf(address) !== undefined;
}

function runIdOf(address: string): string | undefined {
  return /^session\/[^/]+\/run\/([^/]+)/.exec(address)?.[1];
}
