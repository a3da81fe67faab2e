import { Option } from "commander";
import { positiveInteger } from "../global-options.ts";

export type Limited = { readonly limit: number };

export function limitOption(standard: number, which = "the newest"): Option {
  return new Option("--limit <n>", `at most this many rows, ${which}`)
    .argParser(positiveInteger)
    .default(standard);
}
