import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";
import { cleanPath, looksLikePath, pathPattern, unquoted } from "./words.ts";

/** "replace foo by bar in a.txt", "change milk to oat milk in todo.md". */

const request = new RegExp(
  `^(?:replace|change|substitute)\\s+(.+?)\\s+(?:by|with|to|into)\\s+(.+?)\\s+in\\s+(?:the\\s+)?(?:file\\s+)?${pathPattern}[.!]?$`,
  "is",
);

export const replacing: Intent = {
  ability: "change files",
  tool: "file_edit",
  examples: ["replace foo by bar in a.txt"],
  understand(sentence) {
    const [, old, now, path] = request.exec(sentence) ?? [];
    if (old === undefined || now === undefined || path === undefined || !looksLikePath(path))
      return undefined;
    const input = { path: cleanPath(path), old_text: unquoted(old), new_text: unquoted(now) };
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(yield* runCalls(scene, [{ tool: "file_edit", input }]));
      },
    };
  },
};
