import { Option } from "commander";
import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import {
  diffText,
  filesText,
  hitsText,
  logText,
  numberedText,
  restoredText,
  statsText,
} from "../output/memory-text.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";
import { consolidate } from "./memory-consolidate.ts";
import { forget } from "./memory-forget.ts";
import { reindex } from "./memory-reindex.ts";

const search = defineCommand<[words: readonly string[]], Limited & { readonly agent?: string }>({
  usage: "search <words...>",
  summary: "what is remembered of something, the best first, with its file and lines",
  example: "memory search when is annas birthday",
  offline: "file",
  exits: [exitCodes.notFound],
  options: [
    new Option("--agent <id>", "of this agent, and what agents share"),
    limitOption(10, "the best"),
  ],
  async work(context, [words], { agent, limit }) {
    const which = { query: words.join(" "), limit, ...(agent === undefined ? {} : { agent }) };
    const data = await reading(context, ({ call }) => call("memory.search", which));
    return { data, text: hitsText(data, context) };
  },
});

const show = defineCommand<[path?: string]>({
  usage: "show [path]",
  summary: "the files of memory, or one of them with the numbers of its lines",
  example: "memory show main/local/MEMORY.md",
  offline: "file",
  exits: [exitCodes.failed, exitCodes.notFound],
  async work(context, [path]) {
    if (path === undefined) {
      const data = await reading(context, ({ call }) => call("memory.files", {}));
      return { data, text: filesText(data, context) };
    }
    const data = await reading(context, ({ call }) => call("memory.show", { path }));
    return { data, text: numberedText(data.text, context) };
  },
});

type Logging = Limited & { readonly diff?: string };

const log = defineCommand<[path?: string], Logging>({
  usage: "log [path]",
  summary: "what changed in memory, newest first; with --diff, what one change did",
  example: "memory log --diff m12",
  offline: "file",
  exits: [exitCodes.failed, exitCodes.notFound],
  options: [new Option("--diff <change>", "this change alone, line by line"), limitOption(30)],
  async work(context, [path], { diff, limit }) {
    if (diff !== undefined) {
      const data = await reading(context, ({ call }) => call("memory.diff", { id: diff }));
      return { data, text: diffText(data, context) };
    }
    const which = { limit, ...(path === undefined ? {} : { path }) };
    const data = await reading(context, ({ call }) => call("memory.log", which));
    return { data, text: logText(data, { ...context, path }) };
  },
});

const restore = defineCommand<[change: string], { readonly whole?: boolean }>({
  usage: "restore <change>",
  summary: "take one change back; what came after it elsewhere in the file stays",
  example: "memory restore m12",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  options: [
    new Option("--whole", "the whole file as it was before the change, whatever came after it"),
  ],
  async work(context, [id], { whole = false }) {
    const data = await asking(context, ({ call }) => call("memory.restore", { id, whole }));
    return { data, text: context.forThisHome(restoredText(data.changed, id)) };
  },
});

const stats = defineCommand({
  usage: "stats",
  summary: "how much is remembered, how far it is findable, and what is left out",
  example: "memory stats",
  exits: [exitCodes.failed],
  async work(context) {
    const data = await asking(context, ({ call }) => call("memory.stats", {}));
    return { data, text: statsText(data, context) };
  },
});

export const memory: Group = {
  usage: "memory",
  summary: "what is remembered: search, show, log, restore, forget, reindex, stats, consolidate",
  example: "memory search when is annas birthday",
  children: [search, show, log, restore, forget, reindex, stats, consolidate],
};
