import { Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import type { ParamsOf, Results } from "../../schema/socket/protocol.ts";
import { defineCommand } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { confirm } from "../output/confirm.ts";
import { changedText, passagesText } from "../output/memory-text.ts";
import { isInteractive } from "../terminal.ts";

/** A large file that goes on its way into the index, or out of it, is finished first. */
const longestMs = 600_000;

type Forgetting = { readonly yes?: boolean; readonly text?: boolean };

export const forget = defineCommand<[what: string], Forgetting>({
  usage: "forget <what>",
  summary:
    "take lines (PATH:LINE or PATH:LINE-LINE), or whatever holds a text, out of files, kept versions and index for good",
  example: 'memory forget "the door code" --yes',
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  options: [
    new Option("--yes", "do not ask"),
    new Option("--text", "it is a text, also where it looks like lines of a file"),
  ],
  async work(context, [what], { yes = false, text: isText = false }) {
    const wanted = isText ? { text: what } : wantedOf(what);
    if (!yes) refuseWithoutPerson(context);
    const found = await asking(context, ({ call }) => call("memory.forget", wanted, longestMs));
    if (!yes) await askFirst(context, found);
    const { binding } = found;
    const bound = { ...wanted, binding };
    const data = await asking(context, ({ call }) => call("memory.forget", bound, longestMs));
    const notReached = data.not_reached.map((place) => `Not reached: ${place}.`);
    return { data, text: [doneText(data), ...notReached].join("\n") };
  },
});

/** Where no file says it now, older versions did. */
function doneText({ changed, earlier_versions }: Results["memory.forget"]): string {
  if (changed.length > 0) return changedText(changed);
  return `No file holds it now; it is gone from ${earlier_versions} kept version${earlier_versions === 1 ? "" : "s"}.`;
}

/** A path has a slash, and blanks only before the ending of a text. */
const linesOfFile =
  /^([^\s:]+\/[^\s:]+|[^:]+\/[^:]+\.(?:md|markdown|txt|text|org|rst)):(\d{1,9})(?:-(\d{1,9}))?$/i;

export function wantedOf(what: string): ParamsOf<"memory.forget"> {
  const [, path, first, last = first] = linesOfFile.exec(what) ?? [];
  if (path === undefined) return { text: what };
  return { path, line_start: Number(first), line_end: Number(last) };
}

function refuseWithoutPerson({ terminal, json }: CommandContext): void {
  if (!json && isInteractive(terminal)) return;
  throw new AgentError("usage", "Forgetting cannot be undone, and nobody can be asked here.", {
    hint: "say --yes",
  });
}

async function askFirst(
  { terminal, width }: CommandContext,
  { passages, earlier_versions: earlier }: Results["memory.forget"],
): Promise<void> {
  const kept =
    earlier === 0 ? "" : ` and ${earlier} kept ${earlier === 1 ? "version" : "versions"}`;
  const files = new Set(passages.map(({ path }) => path)).size;
  const where = `${files} ${files === 1 ? "file" : "files"}${kept}`;
  const told = passages.length === 0 ? "" : `${passagesText(passages, width)}\n`;
  const question = `${told}Forget this in ${where}? It cannot be undone. [y/N] `;
  if (await confirm(terminal, question)) return;
  throw new AgentError("usage", "Nothing was forgotten.", { hint: "say --yes to go on" });
}
