import { AgentError } from "../../schema/errors.ts";
import { formatError } from "./format-error.ts";
import type { Output, Terminal } from "../terminal.ts";

/** What a command has to say: `data` for programs, `text` for people. */
export type Answer = {
  readonly data: unknown;
  readonly text: string;
  /** 0 unless told otherwise. */
  readonly exitCode?: number;
};

export function printLine(output: Output, line: string): void {
  output.write(`${line}\n`);
}

export function printData(output: Output, data: unknown): void {
  printLine(output, JSON.stringify({ ok: true, data }));
}

/** On stdout for programs, on stderr for people; never a stack trace. */
export function printFailure({ stdout, stderr }: Terminal, error: AgentError, json: boolean): void {
  if (!json) return printLine(stderr, formatError(error));
  const { code, message, hint, details } = error;
  const told = { code, message, hint: hint ?? null, ...(details === undefined ? {} : { details }) };
  printLine(stdout, JSON.stringify({ ok: false, error: told }));
}

export function asAgentError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AgentError("internal", `A fault inside statehive: ${message}`, { cause: thrown });
}

/** The last word of a process that cannot go on. */
export function printFault({ stderr }: Terminal, thrown: unknown): void {
  printLine(stderr, formatError(asAgentError(thrown)));
}
