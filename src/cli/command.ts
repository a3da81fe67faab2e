import type { Option } from "commander";
import type { CommandContext } from "./command-context.ts";
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

export function streamed(exitCode: number): Streamed {
  return { streamed: true, exitCode };
}
