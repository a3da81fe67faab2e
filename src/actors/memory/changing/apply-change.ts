import { isNamedAsText } from "../../../memory/decoded-text.ts";
import { AgentError } from "../../../schema/errors.ts";
import type { FileChange } from "../../../schema/memory.ts";
import { appendMemories } from "./append-memories.ts";
import { type Rewrite, rewriteFile } from "./rewrite-file.ts";
import { forgetPassages } from "../forgetting/forget-passages.ts";
import { keptText } from "./kept-text.ts";
import { observe } from "./keep-unseen.ts";
import { takeBack } from "./take-back.ts";
import type { UnderWay } from "./under-way.ts";

/** What each kind of change does to which file. */

type Of<Op extends FileChange["op"]> = Extract<FileChange, { op: Op }>;

export function applyChange(change: UnderWay, asked: FileChange): Promise<void> {
  switch (asked.op) {
    case "append":
      return appendMemories(change, asked);
    case "replace":
      return rewriteFile(named(asked.path, change), asked.path, expecting(asked, asked.text));
    case "use":
      return useVersion(change, asked);
    case "undo":
      return takeBack(change, asked);
    case "forget":
      return forgetPassages(change, asked);
    case "observe":
      return observe(change, asked);
  }
}

function named(path: string, change: UnderWay): UnderWay {
  if (isNamedAsText(path)) return change;
  throw new AgentError(
    "memory.refused",
    `${path} is not named as a text; memories are in .md files.`,
  );
}

/** @param text what the file is to hold, where it holds what is expected */
function expecting(
  { path, expected }: { readonly path: string; readonly expected?: string | null },
  text: string | null,
): Rewrite {
  return ({ hash }) => {
    if (expected === undefined || hash === expected) return text;
    throw new AgentError("memory.changed", `${path} holds something else by now.`, {
      hint: "Look at it again, and decide anew.",
    });
  };
}

async function useVersion(change: UnderWay, asked: Of<"use">): Promise<void> {
  const { path, version } = asked;
  const text = await keptText(change, version, (why) => {
    const name = String(version).slice(0, 12);
    return new AgentError("memory.not_found", `The version ${name} ${why}.`);
  });
  await rewriteFile(named(path, change), path, expecting(asked, text));
}
