import { Option } from "commander";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { table } from "../output/table.ts";

type ChartFormat = "json" | "mermaid" | "svg";

const list = defineCommand({
  usage: "list",
  summary: "the charts, with their states and events",
  example: "machines list",
  offline: "same",
  async work({ width }) {
    const { listCharts } = await import("../../app/charts.ts");
    const rows = listCharts();
    const text = table(
      rows,
      [
        { title: "NAME", cell: ({ name }) => name },
        { title: "VERSION", cell: (row) => row.version },
        { title: "STATES", cell: ({ states }) => states.join(" ") },
      ],
      { empty: "No machines.", width },
    );
    return { data: rows, text };
  },
});

const show = defineCommand<[name: string], { format: ChartFormat }>({
  usage: "show <name>",
  summary: "one chart: as Stately Studio imports it, as Mermaid draws it, or as a picture",
  example: "machines show run --format svg > run.svg",
  offline: "same",
  exits: [exitCodes.notFound],
  options: [
    new Option("--format <format>", "how").choices(["json", "mermaid", "svg"]).default("mermaid"),
  ],
  async work(_context, [name], { format }) {
    const { chartPicture, showChart } = await import("../../app/charts.ts");
    const { config, mermaid } = showChart(name);
    const charts = { json: () => config, mermaid: () => mermaid, svg: () => chartPicture(name) };
    const chart = charts[format]();
    const text = typeof chart === "string" ? chart : JSON.stringify(chart, null, 2);
    return { data: { name, format, chart }, text: text.trimEnd() };
  },
});

export const machines: Group = {
  usage: "machines",
  summary: "the statecharts that drive the service: list, show",
  example: "machines list",
  children: [list, show],
};
