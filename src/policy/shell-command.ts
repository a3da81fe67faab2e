import type { Capability } from "../schema/tool.ts";

/** What a command line is, without a shell: plain words, or text that only a shell can read. Whatever is not plainly one
 *  simple command is text, so that no rule about a program is ever met by something else. */

export type ShellCommand =
  | { readonly kind: "argv"; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: "shell"; readonly text: string };

/** Covers whatever a shell can be told. Patterns of `boundary` and `deny` may name it; no grant ever covers it. */
export const anyShellText: Capability = "shell.exec:sh -c";

const printable = /^[\x20-\x7e\t\n]*$/;
const word = /(?:[A-Za-z0-9_./:@%+,=-]|'[^']*'|"[^"$`\\!]*")+/y;
const blanks = /[ \t]+/y;
const quotes = /'([^']*)'|"([^"]*)"/g;
const plainName = /^[A-Za-z0-9_./+@][A-Za-z0-9_./+@:-]*$/;
const ofVersion = new Set("0123456789.");

/** Words that mean something to a shell alone. */
const shellWords = new Set(
  (
    "alias bg break builtin case cd command continue declare do done elif else esac eval exec exit export fg fi for function " +
    "getopts hash if in jobs let local readonly read return select set shift shopt source then times trap type typeset ulimit " +
    "umask unalias unset until wait while ."
  ).split(" "),
);

/** Programs that run what their arguments say: a rule about them would be a rule about anything. */
const runners = new Set(
  (
    "ash bash busybox chroot chrt csh dash doas env expect fish flock ionice ksh ltrace nice nohup nsenter parallel prlimit pwsh " +
    "rbash runuser screen script setpriv setsid sh ssh stdbuf strace su sudo taskset tcsh time timeout tmux toybox unbuffer " +
    "unshare watch xargs zsh"
  ).split(" "),
);

/** Programs that read a program from their arguments when these begin with an option. */
const interpreters = new Set(
  "awk bun deno gawk groovy jshell lua mawk nawk node nodejs perl php python ruby tclsh".split(" "),
);

/** Programs whose other arguments decide what happens: a person is not offered to allow them for longer than one call. */
const broadPrograms = new Set(
  (
    "cargo chgrp chmod chown cp dd docker ed ex find gdb git go gradle install jq less ln make man mkdir mv mvn npm npx pip pnpm " +
    "rm rmdir rsync sed shred sqlite tar tee touch truncate unlink vi vim wget curl yarn zip unzip"
  ).split(" "),
);

const systemProgram = /^(?:\/usr)?(?:\/local)?\/s?bin\/([^/]+)$/;
const executingOption = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/;

function baseName(program: string): string {
  const name = program.slice(program.lastIndexOf("/") + 1);
  let end = name.length;
  while (ofVersion.has(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end) || name;
}

function wordsOf(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let position = 0;
  while (position < command.length) {
    word.lastIndex = position;
    const found = word.exec(command)?.[0];
    if (found === undefined) return undefined;
    words.push(
      found.replaceAll(quotes, (_, single?: string, double?: string) => single ?? double ?? ""),
    );
    blanks.lastIndex = position + found.length;
    const gap = blanks.exec(command)?.[0].length ?? 0;
    position += found.length + gap;
    if (gap === 0 && position < command.length) return undefined;
  }
  return words;
}

/** One program has one name: a way around a rule by another path to it is none. @returns nothing for other absolute paths */
function programName(word_: string): string | undefined {
  const name = systemProgram.exec(word_)?.[1] ?? word_;
  const isDetour = name.startsWith("/") || name.split("/").includes("..");
  return isDetour || !plainName.test(name) || shellWords.has(name) ? undefined : name;
}

/** A single literal simple command becomes its words, to be run without a shell; everything else stays text. */
export function readCommand(command: string): ShellCommand {
  const text: ShellCommand = { kind: "shell", text: command };
  if (!printable.test(command)) return text;
  const [program, ...rest] = wordsOf(command.trim()) ?? [];
  if (program === undefined || programName(program) === undefined) return text;
  return { kind: "argv", argv: [program, ...rest] };
}

function runsWhatItIsTold([program, ...rest]: readonly [string, ...string[]]): boolean {
  const name = baseName(program);
  if (runners.has(name) || runners.has(program)) return true;
  if (name === "find" && rest.some((argument) => executingOption.test(argument))) return true;
  return interpreters.has(name) && !plainName.test(rest[0] ?? "");
}

/** `shell.exec:PROGRAM`, with the subcommand or script where the first argument is a plain word. */
export function commandCapability(command: string): Capability {
  const read = readCommand(command);
  if (read.kind === "shell" || runsWhatItIsTold(read.argv)) return anyShellText;
  const [program, first = "", second = ""] = read.argv;
  const parts = [programName(program) ?? program, first, first === "run" ? second : ""];
  const end = parts.findIndex((part) => !plainName.test(part));
  return `shell.exec:${parts.slice(0, end < 0 ? parts.length : end).join(" ")}`;
}

/** Whether a capability says so little of what will happen that nobody should be offered to allow it beyond one call. */
export function isBroadCommand(capability: Capability): boolean {
  if (!capability.startsWith("shell.exec:")) return false;
  const [program = ""] = capability.slice("shell.exec:".length).split(" ");
  const name = baseName(program);
  const isOfTheWorkspace = program.includes("/");
  return [
    isOfTheWorkspace,
    runners.has(name),
    interpreters.has(name),
    broadPrograms.has(name),
  ].some(Boolean);
}
