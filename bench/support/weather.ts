import { z } from "zod";
import type { RiskClass } from "../../src/schema/tool.ts";
import { defineTool } from "../../src/tools/tool.ts";

/** Tools that cost nothing. */

type City = { readonly city: string };

export const weather = ({ city }: City) => `${city}: sunny, 21 degrees`;

export const defineWeather = (name: string, risk: RiskClass) =>
  defineTool({
    name,
    risk,
    description: {
      what: "Says what the weather is like.",
      usage: "Give the name of the city.",
      examples: [{ input: { city: "Rome" }, means: "the weather in Rome" }],
      notFor: "Not for forecasts.",
    },
    input: { city: z.string() },
    recovery: "repeat",
    capabilities: ({ city }) => [`net.fetch:${encodeURIComponent(city)}`],
    summary: ({ city }) => `The weather in ${city}`,
    run: async (input) => weather(input),
  });

/** Runs unasked. */
export const weatherDefinition = defineWeather("weather", "safe");

/** Waits for a person each time. */
export const guardedDefinition = defineWeather("guarded_weather", "unsafe");
