import type { Json, JsonObject } from "../../schema/json.ts";
import type { ShownMessage } from "../../schema/socket/protocol.ts";
import { barred, shown } from "../../text/shown.ts";
import { moment } from "../../text/times.ts";

/** A message of a conversation, with its calls and results. */
export function messageLines({ role, content, at, run_id }: ShownMessage): string[] {
  return [`${moment(at)}  ${role}  ${shown(run_id)}`, ...content.flatMap(blockLines)];
}

function blockLines(block: JsonObject): string[] {
  const { type, text, name, input, output } = block;
  if (type === "text") return barred(textOf(text), "  ");
  if (type === "tool_use") return [`  calls ${shown(name)} ${shown(input)}`];
  if (type === "tool_result") return barred(textOf(output), "  ");
  return [`  (${shown(type)})`];
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
