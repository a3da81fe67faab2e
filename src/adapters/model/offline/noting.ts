import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";
import { unquoted } from "./words.ts";

/** "remember that Anna's birthday is on May 3rd", "note: the printer is in room 4", "remember for good that I want short answers". */

const request =
  /^(?:remember|memori[sz]e|keep\s+in\s+mind|note(?=:|\s+that\s|\s+for\s+good\s))(\s+for\s+good)?(?:\s*:|\s+that\b)?\s+(\S.*)$/is;

export const noting: Intent = {
  ability: "remember things",
  tool: "memory_write",
  examples: ["remember that Anna's birthday is on May 3rd"],
  understand(sentence) {
    const [, forGood, words] = request.exec(sentence) ?? [];
    const text = unquoted(words ?? "");
    if (text === "" || text.endsWith("?")) return undefined;
    const target = forGood === undefined ? {} : { target: "long_term" };
    const input = { text: text.charAt(0).toUpperCase() + text.slice(1), ...target };
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(yield* runCalls(scene, [{ tool: "memory_write", input }]));
      },
    };
  },
};
