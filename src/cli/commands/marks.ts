import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../../text/shown.ts";
import { table } from "../output/table.ts";
import { age } from "../../text/times.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";

const list = defineCommand<[], Limited>({
  usage: "list",
  summary: "files that hold text of strangers, and whose; `.` stands for any file of the workspace",
  example: "marks list",
  offline: "file",
  options: [limitOption(100)],
  async work(context, _args, { limit }) {
    const rows = await reading(context, ({ call }) => call("marks.list", { limit }));
    const { now, width } = context;
    const text = table(
      rows,
      [
        { title: "WORKSPACE", cell: ({ workspace }) => workspace },
        { title: "PATH", cell: ({ path }) => path },
        { title: "AGE", cell: ({ at }) => age(at, now) },
        { title: "TEXT OF", cell: ({ origins }) => origins.join(", ") },
      ],
      { empty: "No file is known to hold text of strangers.", width },
    );
    return { data: rows, text };
  },
});

const clear = defineCommand<[agent: string, path: string]>({
  usage: "clear <agent> <path>",
  summary: "say that you looked, and a file of the agent's workspace holds no text of strangers",
  example: "marks clear main notes/summary.md",
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  async work(context, [agent, path]) {
    const data = await asking(context, ({ call }) => call("marks.clear", { agent, path }));
    const whose = shown(data.origins.join(", "));
    return { data, text: `${shown(data.path)} no longer counts as text of ${whose}.` };
  },
});

export const marks: Group = {
  usage: "marks",
  summary: "files that hold text of strangers: list, clear",
  example: "marks list",
  children: [list, clear],
};
