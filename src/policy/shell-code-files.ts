import { isOfTheWorkspace, type ShellCommand } from "./shell-command.ts";
import {
  type Argv,
  isHarmlessSubcommand,
  isPlainName,
  manifestsOf,
  runsWhatItIsTold,
  scriptOf,
  takesOnlyData,
} from "./shell-programs.ts";

/** Which files a command may run as code, so that who changes one of them has changed the command. */

export const mostWatchedFiles = 32;

/** The words that may name such a file, as they stand; at most one more than are watched. Of shell text they are a guess: what it
 *  makes up while it runs cannot be known. */
export function codeWords(command: ShellCommand): readonly string[] {
  const words = command.kind === "argv" ? codeWordsOf(command.argv) : codeWordsIn(command.text);
  return [...new Set(words)].slice(0, mostWatchedFiles + 1);
}

function codeWordsOf(argv: Argv): readonly string[] {
  const [program, ...rest] = argv;
  if (isOfTheWorkspace(program) && !runsWhatItIsTold(argv)) return [program];
  if (takesOnlyData(argv) || isHarmlessSubcommand(argv)) return [];
  const script = scriptOf(argv);
  if (script !== undefined) return [script];
  const { oneOf = [], also = [] } = manifestsOf(program) ?? {};
  const own = program.includes("/") ? [program] : [];
  return [...oneOf, ...also, ...own, ...rest.flatMap(namesIn)];
}

/** `--file=NAME` and `-fNAME` name a file too. */
function namesIn(word: string): readonly string[] {
  const candidates = [
    word.slice(word.indexOf("=") + 1),
    ...(/^-[A-Za-z]/.test(word) ? [word.slice(2)] : []),
  ];
  return candidates.filter(isPlainName);
}

/** Where one command of a text runs what it is told, that may come from any other: `cat a | sh`. */
function codeWordsIn(text: string): readonly string[] {
  const commands = commandsIn(text);
  return commands.some(runsWhatItIsTold)
    ? commands.flatMap((argv) => argv.flatMap(namesIn))
    : commands.flatMap(codeWordsOf);
}

const separators = /[;&|(){}<>`\n]+/;
const shellMarks = /["'\\$]/g;
const assignment = /^[A-Za-z_]\w*=/;
const leadingWords = new Set("! do else elif exec if then time until while".split(" "));

/** The simple commands that a shell would read in a text, near enough. */
function commandsIn(text: string): readonly Argv[] {
  return text.split(separators).flatMap((piece) => {
    const words = piece
      .replaceAll(shellMarks, " ")
      .split(/\s+/)
      .filter((word) => word !== "");
    const at = words.findIndex((word) => !assignment.test(word) && !leadingWords.has(word));
    const [program, ...rest] = at < 0 ? [] : words.slice(at);
    return program === undefined ? [] : [[program, ...rest] as const];
  });
}
