import type { DeadLetter, QuarantinedActor } from "../../schema/shown/actor-view.ts";
import { defineCommand } from "../command.ts";
import { shorten, shown } from "../../text/shown.ts";
import { table } from "../output/table.ts";
import { age } from "../../text/times.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";

type Looks = { readonly now: number; readonly width: number | undefined };

export const dead = defineCommand<[], Limited>({
  usage: "dead",
  summary: "events that reached nobody, and actors that were set aside after a fault",
  example: "actors dead",
  offline: "file",
  options: [limitOption(50)],
  async work(context, _args, { limit }) {
    const found = await reading(context, ({ call }) => call("actors.dead", { limit }));
    const { dead_letters, quarantined } = found;
    const parts = [setAsideText(quarantined, context), lettersText(dead_letters, context)];
    return { data: found, text: parts.join("\n\n") };
  },
});

function setAsideText(actors: readonly QuarantinedActor[], { now, width }: Looks): string {
  const rows = table(
    actors,
    [
      { title: "SET ASIDE", cell: ({ address }) => address },
      { title: "STATE", cell: ({ state }) => state },
      { title: "AGE", cell: ({ since }) => age(since, now) },
      { title: "WHY", cell: ({ error }) => shorten(shown(error?.message), 120) },
    ],
    { empty: "No actor was set aside.", width },
  );
  if (actors.length === 0) return rows;
  const next =
    "Each stays at its last good state and takes nothing more: `statehive actors get ADDRESS` shows it.";
  const sessions = actors.some(({ kind }) => kind === "session")
    ? ["`statehive sessions reset KEY` lets the next message begin that conversation anew."]
    : [];
  return [rows, next, ...sessions].join("\n");
}

function lettersText(letters: readonly DeadLetter[], { now, width }: Looks): string {
  const rows = table(
    letters,
    [
      { title: "STEP", cell: ({ seq }) => seq },
      { title: "AGE", cell: ({ at }) => age(at, now) },
      { title: "EVENT", cell: ({ event }) => event },
      { title: "WHY", cell: ({ reason }) => shorten(shown(reason), 80) },
      { title: "TO", cell: ({ address }) => address },
    ],
    { empty: "No event is a dead letter.", width },
  );
  if (letters.length === 0) return rows;
  const next =
    "They are kept as a record. What a person may send by hand can be said again: `statehive actors send ADDRESS EVENT JSON`.";
  return [rows, next].join("\n");
}
