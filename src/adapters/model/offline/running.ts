import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";
import { unquoted } from "./words.ts";

/** "run ls -la", "execute: npm test", "run `wc -l a.txt` in src". */

const request =
  /^(?:run|execute)\b\s*(?:(?:the\s+)?(?:(?:shell\s+)?command|program)\b)?\s*:?\s*(\S.*)$/is;
const quotedInPlace =
  /^`([^`]+)`(?:\s+in\s+(?:the\s+)?(?:folder\s+|directory\s+)?(\S+?)\/?)?[.!]?$/s;

export const running: Intent = {
  ability: "run commands",
  tool: "shell_exec",
  examples: ["run ls -la", "execute: npm test"],
  understand(sentence) {
    const words = request.exec(sentence)?.[1];
    if (words === undefined) return undefined;
    const [, quoted, cwd] = quotedInPlace.exec(words) ?? [];
    const input = { command: quoted ?? unquoted(words), ...(cwd === undefined ? {} : { cwd }) };
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(yield* runCalls(scene, [{ tool: "shell_exec", input }]));
      },
    };
  },
};
