import { Option } from "commander";
import { type Results, usageGroups, type UsageGroup } from "../../schema/socket/protocol.ts";
import { defineCommand } from "../command.ts";
import { reading } from "../reading.ts";
import { budgetText, cost, tokens } from "../../text/amounts.ts";
import { table } from "../output/table.ts";
import { type Limited, limitOption } from "./limit-option.ts";

const budgetColumn = {
  title: "BUDGET",
  cell: ({ budgets }: Results["usage.totals"][number]) => budgets.map(budgetText).join("; "),
};

type Options = Limited & { readonly by: UsageGroup };

export const usage = defineCommand<[], Options>({
  usage: "usage",
  summary:
    "the tokens and the cost of model calls, those used last first, with their budgets; days are those of UTC",
  example: "usage --by agent",
  offline: "file",
  options: [
    new Option("--by <what>", "what to add up").choices([...usageGroups]).default("day"),
    limitOption(20),
  ],
  async work(context, _args, { by, limit }) {
    const rows = await reading(context, ({ call }) => call("usage.totals", { by, limit }));
    const text = table(
      rows,
      [
        { title: by.toUpperCase(), cell: ({ name }) => name },
        { title: "CALLS", cell: ({ calls }) => calls },
        { title: "IN", cell: ({ input_tokens }) => tokens(input_tokens) },
        { title: "FROM CACHE", cell: ({ cache_read_tokens }) => tokens(cache_read_tokens) },
        { title: "OUT", cell: ({ output_tokens }) => tokens(output_tokens) },
        { title: "COST", cell: cost },
        ...(rows.some(({ budgets }) => budgets.length > 0) ? [budgetColumn] : []),
      ],
      { empty: "No model was asked yet.", width: context.width },
    );
    return { data: rows, text };
  },
});
