import { cleanText } from "../../text/clean-text.ts";
import { printLine } from "../output/print-answer.ts";
import type { Terminal } from "../terminal.ts";
import { complete } from "./complete.ts";
import { lookUp } from "./look-up.ts";
import { lastPartOf, wordsOf } from "./shell-words.ts";

/** What the completion scripts ask with: `statehive __complete zsh|fish WORD…`, or `… bash BREAKS LINE`. */
export const completionRequest = "__complete";

/** Prints one `value<TAB>about` a line, or `:files` or `:directories`, and never anything else: whatever goes wrong, the
 *  shell shows nothing. */
export async function answerCompletion(args: readonly string[], terminal: Terminal): Promise<void> {
  const { words, isLine, replaced } = requestOf(args);
  const found = complete(words);
  if (found.files !== undefined && (isLine || found.prefix === ""))
    return printLine(terminal.stdout, `:${found.files}`);
  const looked = found.kind === undefined ? [] : await lookUp(found.kind, terminal, found.home);
  const current = words.at(-1) ?? "";
  for (const { value, about } of [...found.candidates, ...looked]) {
    const whole = `${found.prefix}${value}`;
    if (!isPlain(value) || !whole.startsWith(current)) continue;
    const text = whole.slice(current.length - replaced.length);
    printLine(terminal.stdout, `${text}\t${cleanText(about, { multiline: false })}`);
  }
}

type Request = {
  readonly words: readonly string[];
  /** Bash gives the line, and cuts its words itself. */
  readonly isLine: boolean;
  /** What the shell replaces by a value. */
  readonly replaced: string;
};

function requestOf([shell, ...rest]: readonly string[]): Request {
  if (shell !== "bash") return { words: rest, isLine: false, replaced: rest.at(-1) ?? "" };
  const [breaks = "", line = ""] = rest;
  const words = wordsOf(line).slice(1);
  return { words, isLine: true, replaced: lastPartOf(words.at(-1) ?? "", breaks) };
}

/** Nothing that a shell would read as more than one plain word is offered to it. */
function isPlain(value: string): boolean {
  return /^[\w./:@%+,=#-]+$/.test(value);
}
