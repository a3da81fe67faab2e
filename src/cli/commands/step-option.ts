import { InvalidArgumentError, Option } from "commander";

/** The number of a recorded step, as `runs replay` shows it. */
export function stepOption(what: string): Option {
  return new Option("--at <step>", what).argParser(stepNumber);
}

function stepNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("It is no number of a step.");
}
