import { say, type Intent } from "./script.ts";

/** Greetings and questions about itself; `introduce` gives the answer, which names what the other intents can do. */

const greeting =
  /^(?:hi|hello|hey|yo|how are you|good (?:morning|afternoon|evening|day)|greetings)(?:\s+(?:there|again|you|everyone))?\s*[!.?]*$/i;
const identity =
  /\b(?:who|what) are you\b|\bare you (?:an?\b|the\b|claude|gpt|chatgpt|gemini|human|real|there)|\b(?:which|what) (?:llm|model|ai)\b|\byour name\b|\bintroduce yourself\b/i;
const abilities =
  /^(?:help|\?|commands?|usage)\s*[!.?]*$|\bwhat can you do\b|\bhow (?:do|can) (?:i|you) (?:use|work)\b|^help me\s*[!.?]*$/i;
const thanks = /^(?:thanks|thank you|thx|cheers|great|nice|perfect|cool|well done)\b[^?]*$/i;

export function createTalking(introduce: (offered: ReadonlySet<string>) => string): Intent {
  return {
    ability: "say what I am",
    examples: ["who are you?"],
    understand(sentence) {
      if (greeting.test(sentence) || identity.test(sentence) || abilities.test(sentence)) {
        return { isComplete: true, script: (scene) => say(introduce(scene.offered)) };
      }
      return thanks.test(sentence)
        ? { isComplete: true, script: () => say("You are welcome.") }
        : undefined;
    },
  };
}
