import { listCharts, showChart } from "../charts.ts";
import type { Handlers } from "./caller.ts";

/** The charts of the code that answers: they need no rows. */
export const machineReads: Handlers<"machines.list" | "machines.show"> = {
  "machines.list": async () => listCharts(),
  "machines.show": async ({ name }) => showChart(name),
};
