import { AgentError } from "../../schema/errors.ts";
import type { Input } from "../terminal.ts";

const mostBytes = 4 * 1024 * 1024;

/** @throws AgentError usage for more than any message may be */
export async function readAll(input: Input): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > mostBytes) throw new AgentError("usage", "The message on stdin is too long.");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8").replace(/\n$/, "");
}
