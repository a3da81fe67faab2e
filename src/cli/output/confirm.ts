import { createInterface } from "node:readline/promises";
import type { Terminal } from "../terminal.ts";

/** Asks a person at a terminal; everything but yes means no, also the end of input. */
export async function confirm({ stdin, stdout }: Terminal, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    const answer = await Promise.race([lines.question(question), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
