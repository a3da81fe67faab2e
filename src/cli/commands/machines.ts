import { Option } from "commander";
import type { ChartFormat } from "../../app/charts.ts";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { table } from "../output/table.ts";

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
    const { showChart } = await import("../../app/charts.ts");
    const chart = showChart(name, format);
    const data = {
      name,
      format,
      chart: format === "json" ? (JSON.parse(chart) as unknown) : chart,
    };
    return { data, text: chart.trimEnd() };
  },
});

export const machines: Group = {
  usage: "machines",
  summary: "the statecharts that drive the service: list, show",
  example: "machines list",
  children: [list, show],
};
