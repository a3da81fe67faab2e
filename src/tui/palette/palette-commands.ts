import type { ViewId } from "../app/app.ts";
import type { GlobalKeys } from "../app/global-keys.ts";
import { numberOf, type View } from "../app/view.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { cancelActor, poke, send } from "../poke/poke.ts";
import { MemorySearch } from "../memory/memory-search.ts";
import type { PaletteCommand } from "./palette-command.ts";
import { beginFork } from "../replay/fork.ts";
import { ReplayOverlay } from "../replay/replay-overlay.ts";
import { readFork, readPayload } from "./palette-words.ts";

/** Everything that can be typed behind `:`. */
export function paletteCommands(tui: GlobalKeys): readonly PaletteCommand[] {
  return [...tui.views.map(viewCommand), ...things, ...acts, ...narrowing, ...general];
}

function viewCommand(view: View): PaletteCommand {
  return {
    name: view.id,
    takes: own`[FILTER]`,
    about: own`shows ${view.title} (F${numberOf(view)})`,
    run(tui, rest) {
      tui.go(view.id);
      const [pane] = view.panes;
      if (rest !== "" && pane?.filter !== undefined) pane.filter.text = rest;
      return undefined;
    },
  };
}

/** Goes to one thing, by its id. */
function thing(name: string, view: ViewId, offers: PaletteCommand["offers"]): PaletteCommand {
  return {
    name,
    takes: own`ID`,
    about: own`shows this ${safe(name)}`,
    ...(offers === undefined ? {} : { offers }),
    run(tui, id) {
      if (id === "") return own`which ${safe(name)}?`;
      if (offers?.(tui).includes(id) !== true)
        return own`no ${safe(name)} ${safe(id)} is known here`;
      tui.go(view, id);
      return undefined;
    },
  };
}

function runIds({ model }: GlobalKeys): readonly string[] {
  return model.runs.map(({ run_id }) => run_id);
}

const things: readonly PaletteCommand[] = [
  thing("actor", "actors", ({ model }) => model.actors.all().map(({ address }) => address)),
  thing("session", "sessions", ({ model }) => model.sessions.map(({ session_id }) => session_id)),
  thing("run", "runs", runIds),
  thing("approval", "approvals", ({ model }) => model.approvals.map(({ id }) => id)),
];

const acts: readonly PaletteCommand[] = [
  {
    name: "send",
    takes: own`[EVENT] [JSON]`,
    about: own`sends an event to the chosen actor`,
    run(tui, rest) {
      const address = tui.focused.address?.();
      if (address === undefined) return noActor;
      if (rest === "") void poke(tui, address);
      else {
        const read = readPayload(rest);
        if ("fault" in read) return read.fault;
        void send(tui, { address, ...read });
      }
      return undefined;
    },
  },
  {
    name: "cancel",
    takes: own`[RUN]`,
    about: own`ends a run, or the chosen actor`,
    offers: ({ model }) =>
      model.runs.filter(({ ended_at }) => ended_at === null).map(({ run_id }) => run_id),
    run(tui, rest) {
      const run = tui.model.runs.find(({ run_id }) => run_id === rest);
      const address = rest === "" ? tui.focused.address?.() : run?.address;
      if (address === undefined)
        return rest === "" ? noActor : own`no run ${safe(rest)} is known here`;
      void cancelActor(tui, address);
      return undefined;
    },
  },
  {
    name: "replay",
    takes: own`RUN`,
    about: own`steps through what a run did; nothing runs again`,
    offers: runIds,
    run(tui, id) {
      if (id === "") return own`which run?`;
      tui.open(new ReplayOverlay(tui, id));
      return undefined;
    },
  },
  {
    name: "fork",
    takes: own`RUN STEP TEXT`,
    about: own`begins a session as it was at a step of a run`,
    offers: runIds,
    run(tui, rest) {
      const fork = readFork(rest);
      if (fork === undefined) return own`for example: fork r7 41 and now in French`;
      const { id: runId, at, text } = fork;
      void beginFork(tui, { runId, at, place: own`step ${at}` }, text);
      return undefined;
    },
  },
  {
    name: "memory",
    takes: own`[WORDS]`,
    about: own`searches what is remembered`,
    run(tui, rest) {
      tui.open(new MemorySearch(tui, rest));
      return undefined;
    },
  },
  {
    name: "reload",
    about: own`reads the configuration again; with a fault nothing changes`,
    run(tui) {
      void reload(tui);
      return undefined;
    },
  },
];

const narrowing: readonly PaletteCommand[] = [
  {
    name: "trace",
    takes: own`[TRACE]`,
    about: own`every pane shows only this trace; alone: all`,
    offers: ({ model }) => [...new Set(model.runs.map(({ trace_id }) => trace_id))],
    run(tui, rest) {
      tui.trace = rest === "" ? undefined : rest;
      return undefined;
    },
  },
  {
    name: "filter",
    takes: own`[WORDS]`,
    about: own`this pane shows only what matches; alone: all (/)`,
    run(tui, rest) {
      const { filter } = tui.focused;
      if (filter === undefined) return own`there is nothing to filter here`;
      filter.text = rest;
      return undefined;
    },
  },
];

const plain = (name: string, about: SafeText, run: (tui: GlobalKeys) => void): PaletteCommand => ({
  name,
  about,
  run(tui) {
    run(tui);
    return undefined;
  },
});

const general: readonly PaletteCommand[] = [
  plain("help", own`what keys do here (?)`, (tui) => tui.help()),
  plain("zoom", own`this pane alone, or all again (z)`, (tui) => tui.zoom()),
  plain("redraw", own`draws everything anew (C-l)`, (tui) => tui.refresh()),
  plain("quit", own`leaves; the service goes on (q)`, (tui) => tui.leave()),
];

const noActor = own`choose an actor first (F1)`;

async function reload(tui: GlobalKeys): Promise<void> {
  const reloaded = await tui.ask("config.reload", {});
  if (reloaded === undefined) return;
  const { agents, providers, settings, needs_restart } = reloaded;
  const count = [agents, providers]
    .flatMap(({ added, changed, removed }) => [...added, ...changed, ...removed])
    .concat(settings).length;
  const restart =
    needs_restart.length === 0
      ? own``
      : own`; only a restart takes up ${safe(needs_restart.join(", "))}`;
  tui.say(own`the configuration was read again, ${count} changes${restart}`, "good");
}
