import type { Option } from "commander";
import type { CommandContext } from "./command-context.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import type { Answer } from "./output/print-answer.ts";

/** One command, or a group of them, as plain data; src/cli/program.ts makes commander's commands of them. */

export type Work<Args extends readonly unknown[], Options> = (
  context: CommandContext,
  args: Args,
  options: Options,
) => Promise<Answer | Streamed>;

/** A command that has written its output while it worked. */
export type Streamed = { readonly streamed: true; readonly exitCode: number };

export type CommandSpec<Args extends readonly unknown[], Options> = {
  /** The name and the arguments: `show <id>`. */
  readonly usage: string;
  readonly summary: string;
  /** Without the leading `statehive`. */
  readonly example: string;
  /** Commander's own `[flags, description, default]`, or a whole Option. */
  readonly options?: readonly Option[];
  /** All that the first argument can be. */
  readonly argumentChoices?: readonly string[];
  /** What it does while no service answers: reads the database file, or the same as ever. Else it exits with 3 or 4. */
  readonly offline?: "file" | "same";
  /** Exit codes of its own, beside those that `exitsOf` adds. */
  readonly exits?: readonly ExitCode[];
  readonly work: Work<Args, Options>;
};

export type Leaf = CommandSpec<readonly unknown[], object>;
export type Group = {
  readonly usage: string;
  readonly summary: string;
  readonly example: string;
  readonly children: readonly Leaf[];
};
export type CommandNode = Leaf | Group;

/** The arguments and options are what commander makes of the usage line: the types here are the author's word for it. */
export function defineCommand<
  Args extends readonly unknown[] = [],
  Options extends object = object,
>(spec: CommandSpec<Args, Options>): Leaf {
  return spec as unknown as Leaf;
}

const always = [exitCodes.ok, exitCodes.usage, exitCodes.internal];
const askingTheService = [exitCodes.notRunning, exitCodes.notAnswering];
const readingTheFile = [exitCodes.failed, exitCodes.tryAgain, exitCodes.configInvalid];

/** Every code that a command can end with. */
export function exitsOf({ offline, exits = [] }: Pick<Leaf, "offline" | "exits">): ExitCode[] {
  const asks = offline === "same" ? [] : askingTheService;
  const reads = offline === "file" ? readingTheFile : [];
  return [...new Set([...always, ...asks, ...reads, ...exits])].toSorted((a, b) => a - b);
}

export function streamed(exitCode: number): Streamed {
  return { streamed: true, exitCode };
}
