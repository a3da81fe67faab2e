import type { JsonObject } from "../../../schema/json.ts";
import { runCalls, type Intent } from "./script.ts";
import { tellRound } from "./telling.ts";
import { unquoted } from "./words.ts";

/** "ask me what colour I like", "ask me whether I want tea or coffee". */

const request = /^ask me\s+(?:(?:about|to tell you|to say)\s+)?(.+?)[.?!]*$/is;
const choice = /^(?:to\s+)?(?:choose|pick|decide)\s+(?:between|from|one of)?\s*(.+)$/i;
const whether = /^(?:if|whether)\s+i\s+(.+)$/i;
const questionWithVerb =
  /^((?:what|which|where|when|why|how|who)\b.*?)\s+i\s+(like|want|need|have|prefer|think|do|live|work|mean|know|love|eat|drink)\b\s*(.*)$/i;
const questionWithBe =
  /^((?:what|which|where|when|why|how|who)\b.*?)\s+(my\s+.+?|i)\s+(is|am|are|was|were)\b\s*(.*)$/i;

function turned(words: string): string {
  const swaps: Readonly<Record<string, string>> = {
    "i": "you",
    "my": "your",
    "me": "you",
    "mine": "yours",
    "am": "are",
    "i'm": "you are",
  };
  return words.replace(
    /\b(?:i'm|i|my|me|mine|am)\b/gi,
    (word) => swaps[word.toLowerCase()] ?? word,
  );
}

function sentenceCase(words: string): string {
  const text = words.trim().replace(/\s+/g, " ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}

function optionsIn(words: string): readonly string[] {
  const parts = words
    .split(/\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+/i)
    .map((part) => part.trim());
  return parts.length >= 2 && parts.every((part) => part !== "" && part.length <= 200)
    ? parts.slice(0, 10)
    : [];
}

function choiceQuestion(words: string): JsonObject | undefined {
  const options = optionsIn(choice.exec(words)?.[1] ?? "");
  return options.length === 0 ? undefined : { question: "Which one do you choose?", options };
}

function yesNoQuestion(words: string): JsonObject | undefined {
  const doubt = whether.exec(words)?.[1];
  if (doubt === undefined) return undefined;
  const options = optionsIn(doubt.replace(/^\w+\s+/, ""));
  return {
    question: sentenceCase(`do you ${turned(doubt)}`),
    ...(options.length === 0 ? {} : { options }),
  };
}

function openQuestion(words: string): JsonObject {
  const [, asked, verb, rest = ""] = questionWithVerb.exec(words) ?? [];
  if (asked !== undefined)
    return { question: sentenceCase(`${asked} do you ${verb} ${turned(rest)}`) };
  const [, about, subject = "", be, more = ""] = questionWithBe.exec(words) ?? [];
  if (about === undefined) return { question: sentenceCase(turned(unquoted(words))) };
  return {
    question: sentenceCase(`${about} ${turned(be ?? "is")} ${turned(subject)} ${turned(more)}`),
  };
}

export const asking: Intent = {
  ability: "ask you something",
  tool: "ask_user",
  examples: ["ask me what colour I like"],
  understand(sentence) {
    const words = request.exec(sentence)?.[1];
    if (words === undefined) return undefined;
    return {
      isComplete: true,
      *script(scene) {
        return tellRound(
          yield* runCalls(scene, [
            {
              tool: "ask_user",
              input: choiceQuestion(words) ?? yesNoQuestion(words) ?? openQuestion(words),
            },
          ]),
        );
      },
    };
  },
};
