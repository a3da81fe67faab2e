import { AgentError } from "../../schema/errors.ts";
import { formatError } from "./format-error.ts";
import { forHome, hintOf } from "./hints.ts";
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

export type FailureOptions = { readonly json: boolean; readonly homeFlag: string | undefined };

/** On stdout for programs, on stderr for people; never a stack trace. */
export function printFailure(
  { stdout, stderr }: Terminal,
  error: AgentError,
  { json, homeFlag }: FailureOptions,
): void {
  if (!json) return printLine(stderr, forHome(formatError(error), homeFlag));
  const { code, message, details } = error;
  const hint = hintOf(error);
  const told = { code, message, hint: hint === undefined ? null : forHome(hint, homeFlag) };
  const all = details === undefined ? told : { ...told, details };
  printLine(stdout, JSON.stringify({ ok: false, error: all }));
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
