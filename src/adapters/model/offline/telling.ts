import type { JsonObject } from "../../../schema/json.ts";
import type { Outcome, Round } from "./script.ts";

/** Results of calls, told to a person. */

const maxShownChars = 4000;
const refusal = /\b(?:denied|refused|not allow(?:ed)?|forbidden|permission|declined)\b/i;

function field(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" ? value : undefined;
}

function nameOf(input: JsonObject): string {
  return field(input, "path") ?? "the workspace";
}

function lineWindow(input: JsonObject): string {
  const { offset, limit } = input;
  if (typeof limit !== "number") return typeof offset === "number" ? `, from line ${offset}` : "";
  const first = typeof offset === "number" ? offset : 1;
  return limit === 1 ? `, line ${first}` : `, lines ${first} to ${first + limit - 1}`;
}

type Teller = {
  /** To be put after "I could not" and "I was not allowed to". */
  readonly deed: (input: JsonObject) => string;
  readonly success: (outcome: Outcome) => string;
};

const tellers: Readonly<Record<string, Teller>> = {
  file_read: {
    deed: (input) => `read ${nameOf(input)}`,
    success: ({ input, output }) =>
      `Here is ${nameOf(input)}${lineWindow(input)}:\n\n${shortened(output.trimEnd())}`,
  },
  file_list: {
    deed: (input) => `list ${nameOf(input)}`,
    success: ({ input, output }) => `Here is what ${nameOf(input)} holds:\n\n${shortened(output)}`,
  },
  file_write: {
    deed: (input) => `write ${nameOf(input)}`,
    success: ({ input, output }) => `I wrote ${nameOf(input)}. The tool says: ${shortened(output)}`,
  },
  file_search: {
    deed: (input) => `search ${nameOf(input)}`,
    success: ({ input, output }) =>
      `Here is what I found of ${field(input, "pattern") ?? "it"}:\n\n${shortened(output)}`,
  },
  file_edit: {
    deed: (input) => `change ${nameOf(input)}`,
    success: ({ input, output }) =>
      `I changed ${nameOf(input)}. The tool says: ${shortened(output)}`,
  },
  shell_exec: {
    deed: (input) => `run ${field(input, "command") ?? "that"}`,
    success: ({ input, output }) =>
      `I ran ${field(input, "command") ?? "it"}:\n\n${shortened(output)}`,
  },
  web_fetch: {
    deed: (input) => `read ${field(input, "url") ?? "that page"}`,
    success: ({ output }) => shortened(output),
  },
  session_search: {
    deed: () => "search what was said before",
    success: ({ input, output }) =>
      `Here is what was said of ${field(input, "query") ?? "it"}:\n\n${shortened(output)}`,
  },
  memory_write: {
    deed: () => "remember that",
    success: ({ input, output }) =>
      `I remember "${field(input, "text") ?? "it"}". The tool says: ${shortened(output)}`,
  },
  memory_search: {
    deed: () => "search what I remember",
    success: ({ input, output }) =>
      `Here is what I remember of ${field(input, "query") ?? "it"}:\n\n${shortened(output)}`,
  },
  ask_user: {
    deed: () => "ask you",
    success: ({ output }) => `You answered: ${output}`,
  },
};

function shortened(text: string): string {
  const rest = text.length - maxShownChars;
  return rest <= 0
    ? text
    : `${text.slice(0, maxShownChars)}\n[${rest} more characters are not shown]`;
}

export function tellOutcome(outcome: Outcome): string {
  const teller = tellers[outcome.tool];
  const deed = teller?.deed(outcome.input) ?? `use ${outcome.tool}`;
  if (outcome.isError) {
    const manner = refusal.test(outcome.output) ? "was not allowed to" : "could not";
    return `I ${manner} ${deed}: ${shortened(outcome.output)}`;
  }
  return teller?.success(outcome) ?? `${outcome.tool} answered: ${shortened(outcome.output)}`;
}

export function tellRound(round: Round): string {
  return round.map(tellOutcome).join("\n\n");
}
