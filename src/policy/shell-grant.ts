import { isOfTheWorkspace, type ShellCommand } from "./shell-command.ts";
import {
  type Argv,
  baseName,
  isHarmlessSubcommand,
  manifestsOf,
  mayLookElsewhere,
  namesAnotherProgram,
  runsWhatItIsTold,
  scriptOf,
  takesCode,
  takesOnlyData,
} from "./shell-programs.ts";
import { isBareWord } from "./shell-words.ts";

/** How far a person's word about one command may reach beyond that call. What is not known to be harmless reaches no further than
 *  the very words that were shown, and nowhere where some of them are code.
 *  Source: docs/decisions/0021-what-a-granted-command-covers.md */

export type Reach =
  | { readonly kind: "this_call"; readonly why: string }
  /** These words alone; `oneOf`: only where one of these files says what they mean. */
  | { readonly kind: "same_words"; readonly oneOf: readonly string[] }
  /** The program, its script or subcommand, and any further arguments. */
  | { readonly kind: "any_arguments"; readonly script?: string };

const sameWords: Reach = { kind: "same_words", oneOf: [] };

export function reachOf(command: ShellCommand): Reach {
  if (command.kind === "shell") return thisCall("it is no single simple command of plain words");
  const { argv } = command;
  const [program, ...rest] = argv;
  if (runsWhatItIsTold(argv)) return thisCall(`${baseName(program)} runs what its arguments say`);
  if (isOfTheWorkspace(program)) return reachOfOwnProgram(program);
  if (takesOnlyData(argv)) return sameWords;
  const script = scriptOf(argv);
  if (script !== undefined) return reachOfScript(script);
  if (isHarmlessSubcommand(argv)) return { kind: "any_arguments" };
  return manifestsOf(program) === undefined ? reachOfUnknown(program, rest) : reachOfTask(argv);
}

function thisCall(why: string): Reach {
  return { kind: "this_call", why };
}

function reachOfOwnProgram(program: string): Reach {
  return takesCode(program)
    ? thisCall(`${baseName(program)} runs what its arguments say`)
    : reachOfScript(program);
}

function reachOfScript(script: string): Reach {
  const isInside = !script.startsWith("/") && !script.split("/").includes("..");
  return isInside
    ? { kind: "any_arguments", script }
    : thisCall(`${script} is no path below its directory`);
}

function reachOfTask([program, ...rest]: Argv): Reach {
  if (mayLookElsewhere(rest)) return thisCall(`options of ${baseName(program)} can be code`);
  if (rest.some((word) => !isBareWord(word))) return thisCall("one of its arguments may be code");
  return { kind: "same_words", oneOf: manifestsOf(program)?.oneOf ?? [] };
}

function reachOfUnknown(program: string, rest: readonly string[]): Reach {
  const name = baseName(program);
  const isGitOption = name === "git" && rest[0]?.startsWith("-") === true;
  if (takesCode(program)) return thisCall(`arguments of ${name} can be code`);
  if (isGitOption) return thisCall("options of git can name programs to run");
  if (namesAnotherProgram(rest)) return thisCall("an argument is a program that runs others");
  if (rest.some((word) => !isBareWord(word))) return thisCall("one of its arguments may be code");
  return sameWords;
}
