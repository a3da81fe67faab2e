import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";
import { withoutEnding } from "./words.ts";

/** "search our earlier chats for milk", "find milk in my old conversations", "what did I say about milk". */

const talks = String.raw`(?:(?:all|any|my|our|the|your)\s+)*(?:(?:earlier|former|last|old|older|past|previous)\s+)?(?:chats?|conversations?|sessions?)`;
const requests = [
  new RegExp(String.raw`^(?:search|look)\s+(?:in\s+|through\s+)?${talks}\s+for\s+(\S.*)$`, "is"),
  new RegExp(
    String.raw`^(?:search(?:\s+for)?|look\s+for|find)\s+(\S.*?)\s+(?:in|from)\s+${talks}[.?!]*$`,
    "is",
  ),
  /^what\s+did\s+(?:i|we|you)\s+(?:ever\s+)?(?:say|tell\s+(?:you|me)|write)\s+about\s+(\S.*)$/is,
  /^(?:did|have)\s+(?:i|we|you)\s+(?:ever\s+)?(?:talk|talked|speak|spoken)\s+about\s+(\S.*)$/is,
];

export const remembering: Intent = {
  ability: "search what was said before",
  tool: "session_search",
  examples: ["search our earlier chats for milk", "what did I say about milk"],
  understand(sentence) {
    const words = requests.map((request) => request.exec(sentence)?.[1]).find(Boolean);
    const query = withoutEnding(words ?? "", ".?!").trim();
    if (query === "") return undefined;
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(yield* runCalls(scene, [{ tool: "session_search", input: { query } }]));
      },
    };
  },
};
