import { wholeText } from "./past.ts";
import { runCalls, type Intent, type Scene, type Script } from "./script.ts";
import { tellOutcome, tellRound } from "./telling.ts";
import { cleanPath, looksLikePath, pathPattern, unquoted } from "./words.ts";

/** "copy a.txt to b.txt" and "append milk to todo.md": first a read, then a write of what it brought. */

const copyForm = new RegExp(
  `^(?:copy|duplicate)\\s+(?:the\\s+)?(?:file\\s+)?${pathPattern}\\s+(?:to|as|into)\\s+${pathPattern}$`,
  "i",
);
const appendForm = new RegExp(
  `^(?:append|add)\\s+(.+?)\\s+(?:to|at the end of)\\s+(?:the\\s+)?(?:file\\s+)?${pathPattern}$`,
  "is",
);

type Rewrite = {
  readonly from: string;
  readonly to: string;
  readonly change: (text: string) => string;
  /** What a missing file counts as; without it that is a failure. */
  readonly ifMissing?: string;
};

function* rewrite(scene: Scene, { from, to, change, ifMissing }: Rewrite): Script {
  const [read] = yield* runCalls(scene, [{ tool: "file_read", input: { path: from } }]);
  if (read === undefined) return "Nothing came back.";
  const isMissing =
    read.isError && ifMissing !== undefined && read.output.startsWith("file.not_found");
  if (read.isError && !isMissing) return tellOutcome(read);
  const content = isMissing ? ifMissing : wholeText(read);
  if (content === undefined)
    return `I cannot do that with ${from}: file_read did not show it whole and unchanged.`;
  return tellRound(
    yield* runCalls(scene, [{ tool: "file_write", input: { path: to, content: change(content) } }]),
  );
}

export const copying: Intent = {
  ability: "copy files",
  tool: "file_write",
  examples: ["copy a.txt to b.txt"],
  understand(sentence) {
    const [, from, to] = copyForm.exec(sentence) ?? [];
    if (from === undefined || to === undefined || !looksLikePath(from)) return undefined;
    const copy = { from: cleanPath(from), to: cleanPath(to), change: (text: string) => text };
    return { isComplete: true, script: (scene) => rewrite(scene, copy) };
  },
};

export const appending: Intent = {
  ability: "append to files",
  tool: "file_write",
  examples: ["append buy milk to todo.md"],
  understand(sentence) {
    const [, words, target] = appendForm.exec(sentence) ?? [];
    if (words === undefined || target === undefined || !looksLikePath(target)) return undefined;
    const path = cleanPath(target);
    const change = (text: string) =>
      `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${unquoted(words)}\n`;
    return {
      isComplete: true,
      script: (scene) => rewrite(scene, { from: path, to: path, change, ifMissing: "" }),
    };
  },
};
