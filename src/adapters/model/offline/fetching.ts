import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";

/** "fetch https://nodejs.org/", "read the page https://nodejs.org/". */

const request =
  /^(?:fetch|get|read|open|show(?: me)?|look at|visit)\b[^:/]{0,40}?\s(https?:\/\/[^\s<>"]+?)[.,!?]?$/i;

export const fetching: Intent = {
  ability: "read pages of the web",
  tool: "web_fetch",
  examples: ["fetch https://nodejs.org/"],
  understand(sentence) {
    const url = request.exec(sentence)?.[1];
    if (url === undefined) return undefined;
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(yield* runCalls(scene, [{ tool: "web_fetch", input: { url } }]));
      },
    };
  },
};
