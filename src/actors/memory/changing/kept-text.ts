import { decodedText } from "../../../memory/decoded-text.ts";
import type { AgentError } from "../../../schema/errors.ts";
import type { UnderWay } from "./under-way.ts";

/** Null for no version: there was no file. @param refuse what is said where it cannot be had; is given why */
export async function keptText(
  { workshop }: UnderWay,
  version: string | null,
  refuse: (why: string) => AgentError,
): Promise<string | null> {
  if (version === null) return null;
  const content = await workshop.versions.read(version);
  const text = decodedText(content);
  if (text !== undefined) return text;
  throw refuse(content === undefined ? "is not kept any more" : "is no text");
}
