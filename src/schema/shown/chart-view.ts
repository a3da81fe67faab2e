import { z } from "zod";
import { jsonObject, strings } from "./shown.ts";

/** Statecharts as people and programs see them. Paths are below the machine: `working.calling`. */

const chartTransition = z.strictObject({
  trigger: z
    .string()
    .describe(
      "What every drawing calls it: `run.cancel`, `after runDeadline`, `done callModel`, `error callModel`, `done` or `always`.",
    ),
  event: z.string().describe("XState's own name of the event; empty for an eventless one."),
  guard: z.string().nullable(),
  targets: strings.describe("Paths; none: the state stays as it is."),
  actions: strings,
});

const chartState = z.strictObject({
  path: z.string().describe("Empty for the machine itself, which comes first."),
  key: z.string(),
  depth: z.int().describe("0 for the machine itself."),
  type: z.enum(["atomic", "compound", "parallel", "final", "history"]),
  initial: z.boolean().describe("The state around it begins here."),
  description: z.string(),
  tags: strings,
  invokes: strings.describe("Activities that run while it is active."),
  transitions: z.array(chartTransition).readonly(),
});

const chartEvent = z.strictObject({
  type: z.string(),
  pokeable: z.boolean().describe("A person may send it by hand."),
  description: z.string(),
});

export const chartSummary = z.strictObject({
  name: z.string(),
  version: z.string(),
  states: strings.describe("Those at the top."),
  events: strings,
});

export const chartDetails = z.strictObject({
  name: z.string(),
  version: z.string(),
  description: z.string().describe("Empty where the chart says nothing of itself."),
  states: z
    .array(chartState)
    .readonly()
    .describe("In the order of the chart; each before those within it."),
  events: z.array(chartEvent).readonly(),
  mermaid: z.string(),
  config: jsonObject.describe(
    "As Stately Studio imports it: what it does is named, and no function is in it.",
  ),
});

export type ChartState = z.output<typeof chartState>;
export type ChartTransition = z.output<typeof chartTransition>;
export type ChartSummary = z.output<typeof chartSummary>;
export type ChartDetails = z.output<typeof chartDetails>;
