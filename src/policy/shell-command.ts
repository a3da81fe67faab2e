import type { Capability } from "../schema/tool.ts";
import { type Argv, isPlainName, runsWhatItIsTold, shellWords } from "./shell-programs.ts";
import { literalWords } from "./shell-words.ts";

/** What a command line is, without a shell: plain words, or text that only a shell can read. Whatever is not plainly one
 *  simple command is text, so that no rule about a program is ever met by something else. */

export type ShellCommand =
  | { readonly kind: "argv"; readonly argv: Argv }
  | { readonly kind: "shell"; readonly text: string };

/** Covers whatever a shell can be told. Patterns of `boundary` and `deny` may name it; no grant ever covers it. */
export const anyShellText: Capability = "shell.exec:sh -c";

const printable = /^[\x20-\x7e\t\n]*$/;
const systemProgram = /^(?:\/usr)?(?:\/local)?\/s?bin\/([^/]+)$/;

/** One program has one name: a way around a rule by another path to it is none. @returns nothing for other absolute paths */
function programName(word: string): string | undefined {
  const name = systemProgram.exec(word)?.[1] ?? word;
  const isDetour = name.startsWith("/") || name.split("/").includes("..");
  return isDetour || !isPlainName(name) || shellWords.has(name) ? undefined : name;
}

/** Whether a program is a file that the command finds by a path below its own directory. */
export function isOfTheWorkspace(program: string): boolean {
  return programName(program)?.includes("/") === true;
}

/** A single literal simple command becomes its words, to be run without a shell; everything else stays text. */
export function readCommand(command: string): ShellCommand {
  const text: ShellCommand = { kind: "shell", text: command };
  if (!printable.test(command)) return text;
  const [program, ...rest] = literalWords(command.trim()) ?? [];
  if (program === undefined || programName(program) === undefined) return text;
  return { kind: "argv", argv: [program, ...rest] };
}

/** `shell.exec:PROGRAM`, with the subcommand or script where the first argument is a plain word. */
export function commandCapability(command: string): Capability {
  const read = readCommand(command);
  if (read.kind === "shell" || runsWhatItIsTold(read.argv)) return anyShellText;
  const [program, first = "", second = ""] = read.argv;
  const parts = [programName(program) ?? program, first, first === "run" ? second : ""];
  const end = parts.findIndex((part) => !isPlainName(part));
  return `shell.exec:${parts.slice(0, end < 0 ? parts.length : end).join(" ")}`;
}
