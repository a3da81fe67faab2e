import { lastRead, wholeText } from "./past.ts";
import { askPerson, runCalls, type Intent, type Scene, type Script } from "./script.ts";
import { tellRound } from "./telling.ts";
import { cleanPath, isQuoted, looksLikePath, pathPattern, pathsIn, unquoted } from "./words.ts";

/** "write hello to notes.txt", "create todo.md with: buy milk"; asks for the text or the file that is not said. */

type Words = { readonly literal: string } | { readonly refersToRead: true };
type Wish = { readonly path?: string; readonly words?: Words };

const contentFirst = new RegExp(
  `^(?:write|save|put|store)\\s+(.+?)\\s+(?:down\\s+)?(?:to|in|into|as)\\s+(?:a\\s+|the\\s+|my\\s+)?(?:new\\s+)?(file\\s+)?(?:called\\s+|named\\s+)?${pathPattern}[.!]?$`,
  "is",
);
const pathFirst = new RegExp(
  `^(?:write|create|make|save|start|overwrite)\\s+(?:a\\s+|an\\s+|the\\s+)?(?:new\\s+)?(?:text\\s+)?(?:file\\s+|note\\s+)?(?:called\\s+|named\\s+)?${pathPattern}\\s*(?::|,?\\s+(?:with|containing|that (?:says|contains|reads)|saying|to say)(?:\\s+the)?(?:\\s+(?:contents?|text|words?|lines?))?\\s*:?)\\s*(.+)$`,
  "is",
);
const empty = /^(?:create|make|write|start)\s+(?:me\s+)?(?:an?\s+)?(?:new\s+)?empty\s+file\b/i;
const vague = /^(?:write|create|make|save|start|take|jot)\b/i;
const vagueThing =
  /^(?:write|create|make|save|start|take|jot)\s+(?:down\s+)?(?:me\s+)?(?:(?:a|an|the|some|my|another|new)\s+)*(?:note|file|text|something|it|this|that|memo|list|document)?s?\s*(?:down)?\s*(?:for me)?\s*[.?!]*$/i;
const noteWithText =
  /^(?:write|make|create|take|save|jot down)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:note|memo|file)\s*(?::|,?\s+(?:that says|saying|with|containing|to)\b:?)\s*(.+)$/is;
const textAlone = /^(?:write|save|jot)\s+(?:down\s+)?(.+)$/is;
const backReference =
  /^(?:it|that|this|(?:the|its) (?:contents?|text|result|file)|what you read)$/i;

function wordsOf(text: string): Words {
  if (isQuoted(text)) return { literal: unquoted(text) };
  if (backReference.test(text.trim())) return { refersToRead: true };
  return { literal: unquoted(text.replace(/^(?:the\s+)?(?:text|words?|line|sentence)\s+/i, "")) };
}

function wishWithPath(sentence: string): Wish | undefined {
  const [, path, text] = pathFirst.exec(sentence) ?? [];
  if (path !== undefined && text !== undefined && looksLikePath(path.replace(/:$/, ""))) {
    return { path: cleanPath(path), words: wordsOf(text) };
  }
  const [, aimed, isFile, target] = contentFirst.exec(sentence) ?? [];
  if (
    aimed !== undefined &&
    target !== undefined &&
    (isFile !== undefined || looksLikePath(target))
  ) {
    return { path: cleanPath(target), words: wordsOf(aimed) };
  }
  return undefined;
}

function vagueWish(sentence: string): Wish | undefined {
  if (!vague.test(sentence)) return undefined;
  const [path] = pathsIn(sentence);
  if (path !== undefined) return empty.test(sentence) ? { path, words: { literal: "" } } : { path };
  const noted = noteWithText.exec(sentence)?.[1];
  if (noted !== undefined) return { words: wordsOf(noted) };
  if (vagueThing.test(sentence) || /^\w+\s+(?:a|an|some|me|the|my)\b/i.test(sentence)) return {};
  const text = textAlone.exec(sentence)?.[1];
  return text === undefined ? undefined : { words: wordsOf(text) };
}

function literalOf(words: Words | undefined, scene: Scene): string | undefined {
  if (words === undefined || "literal" in words) return words?.literal;
  const read = lastRead(scene.past);
  return read === undefined ? undefined : wholeText(read);
}

const howTo = "for example: write hello world to notes.txt";

function* write(wish: Wish, scene: Scene): Script {
  const known = literalOf(wish.words, scene);
  const content =
    known ?? (yield* askPerson(scene, "What should I write? I write it exactly as you put it."));
  if (content === undefined) return `Tell me what to write and where, ${howTo}`;
  const answer = wish.path ?? (yield* askPerson(scene, "Which file should I write to?"));
  if (answer === undefined) return `Tell me which file to write to, ${howTo}`;
  const path = wish.path ?? pathsIn(answer)[0] ?? cleanPath(answer);
  return tellRound(yield* runCalls(scene, [{ tool: "file_write", input: { path, content } }]));
}

export const writing: Intent = {
  ability: "write files",
  tool: "file_write",
  examples: ["write hello world to notes.txt", "create todo.md with: buy milk"],
  understand(sentence) {
    const wish = wishWithPath(sentence) ?? vagueWish(sentence);
    if (wish === undefined) return undefined;
    return {
      isComplete: wish.path !== undefined && wish.words !== undefined,
      script: (scene) => write(wish, scene),
    };
  },
};
