import { z } from "zod";

/** What bwrap tells about a sandbox while it lives: one JSON object a line. */

const told = z.union([
  z.object({ "child-pid": z.int().positive() }),
  z.object({ "exit-code": z.int() }),
]);

export type SandboxNews =
  | { readonly kind: "made"; readonly firstProcess: number }
  | { readonly kind: "ended"; readonly code: number };

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function newsIn(line: string): SandboxNews | undefined {
  const parsed = told.safeParse(jsonIn(line), { jitless: true });
  if (!parsed.success) return undefined;
  return "child-pid" in parsed.data
    ? { kind: "made", firstProcess: parsed.data["child-pid"] }
    : { kind: "ended", code: parsed.data["exit-code"] };
}

/** @returns takes the stream piece by piece and tells each news once */
export function createStatusReader(tell: (news: SandboxNews) => void): (piece: string) => void {
  let unfinished = "";
  return (piece) => {
    const lines = `${unfinished}${piece}`.split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) {
      const news = newsIn(line);
      if (news !== undefined) tell(news);
    }
  };
}
