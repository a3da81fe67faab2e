import { lastRead, wholeText } from "./past.ts";
import { askPerson, runCalls, type Intent, type Scene, type Script } from "./script.ts";
import { tellRound } from "./telling.ts";
import { cleanPath, isQuoted, looksLikePath, pathPattern, pathsIn, unquoted } from "./words.ts";

/** "write hello to notes.txt", "create todo.md with: buy milk"; asks for the text or the file that is not said. */

type Wish = { readonly path?: string; readonly content?: string };

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
const vagueThing = /^(?:write|create|make|save|start|take|jot)\s+(?:down\s+)?(?:me\s+)?(?:(?:a|an|the|some|my|another|new)\s+)*(?:note|file|text|something|it|this|that|memo|list|document)?s?\s*(?:down)?\s*(?:for me)?\s*[.?!]*$/i;
const backReference = /^(?:it|that|this|(?:the|its) (?:contents?|text|result|file)|what you read)$/i;

function contentOf(words: string): string {
  if (isQuoted(words)) return unquoted(words);
  return unquoted(words.replace(/^(?:the\s+)?(?:text|words?|line|sentence)\s+/i, ""));
}

function wishIn(sentence: string): Wish | undefined {
  const named = pathFirst.exec(sentence);
  if (named?.[1] !== undefined && named[2] !== undefined && looksLikePath(named[1].replace(/:$/, ""))) {
    return { path: cleanPath(named[1]), content: contentOf(named[2]) };
  }
  const aimed = contentFirst.exec(sentence);
  if (aimed?.[1] !== undefined && aimed[3] !== undefined && (aimed[2] !== undefined || looksLikePath(aimed[3]))) {
    return { path: cleanPath(aimed[3]), content: contentOf(aimed[1]) };
  }
  if (!vague.test(sentence)) return undefined;
  const [path] = pathsIn(sentence);
  if (path !== undefined) return empty.test(sentence) ? { path, content: "" } : { path };
  if (vagueThing.test(sentence) || /^\w+\s+(?:a|an|some|me|the|my)\b/i.test(sentence)) return {};
  const words = /^(?:write|save)\s+(.+)$/is.exec(sentence)?.[1];
  return words === undefined ? undefined : { content: contentOf(words) };
}

function resolved(content: string | undefined, scene: Scene): string | undefined {
  if (content === undefined || !backReference.test(content)) return content;
  const read = lastRead(scene.past);
  return read === undefined ? content : wholeText(read);
}

const howTo = "for example: write hello world to notes.txt";

function* write(wish: Wish, scene: Scene): Script {
  const content =
    resolved(wish.content, scene) ?? (yield* askPerson(scene, "What should I write? I write it exactly as you put it."));
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
    const wish = wishIn(sentence);
    if (wish === undefined) return undefined;
    return {
      isComplete: wish.path !== undefined && wish.content !== undefined,
      script: (scene) => write(wish, scene),
    };
  },
};
