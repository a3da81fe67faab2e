import type { JsonObject, Json } from "../../schema/json.ts";
import type { ShownMessage } from "../../schema/shown/shown.ts";
import type { Line, Style } from "../frame/frame.ts";
import { blank, line, span } from "../frame/line.ts";
import { joined, own, safe, safeLines, type SafeText, wrappedWords } from "../frame/safe-text.ts";
import { clockOf } from "./step-line.ts";

/** A conversation as people read it: who said what, tool calls and their results in brief. */

const longestText = 200;
const longestResult = 4;
/** Of a text; what is longer is cut before it is wrapped, so that a huge one costs no more. */
const mostCharacters = 40_000;

const roleStyles: { readonly [role in ShownMessage["role"]]: Style } = {
  user: { fg: "cyan", bold: true },
  assistant: { bold: true },
  tool: { fg: "grey" },
};

type Drawn = { readonly width: number; readonly agent: string; readonly lines: readonly Line[] };

/** Messages do not change, so that each is laid out once for a width. */
const drawn = new WeakMap<ShownMessage, Drawn>();

export type Speaking = {
  /** What the agent's messages are headed with. */
  readonly agent: string;
  readonly width: number;
};

export function conversationLines(
  messages: readonly ShownMessage[],
  speaking: Speaking,
): readonly Line[] {
  const lines = messages.flatMap((message) => messageLines(message, speaking));
  return lines[0] === blank ? lines.slice(1) : lines;
}

function messageLines(message: ShownMessage, { agent, width }: Speaking): readonly Line[] {
  const before = drawn.get(message);
  if (before?.width === width && before.agent === agent) return before.lines;
  const { role, content, at, run_id } = message;
  const blocks = content.flatMap((block) => blockLines(block, width - 2));
  const body = blocks.map((each): Line => [span(own`  `), ...each]);
  const who = role === "assistant" ? safe(agent) : own`you`;
  const head: Line = [
    span(own`${who} `, roleStyles[role]),
    span(own`${clockOf(at)} ${safe(run_id)}${originOf(content)}`, { fg: "grey" }),
  ];
  const lines = role === "tool" ? body : [blank, head, ...body];
  drawn.set(message, { width, agent, lines });
  return lines;
}

/** Whose words it has in it, besides those of the owner and of the model. */
function originOf(content: readonly JsonObject[]): SafeText {
  const origins = new Set(
    content.flatMap(({ origin }) => (typeof origin === "string" ? [origin] : [])),
  );
  const others = [...origins].filter((each) => each !== "user:owner" && !each.startsWith("model:"));
  return others.length === 0 ? own`` : own`, of ${joined(others.map(safe), own`, `)}`;
}

function blockLines(block: JsonObject, width: number): Line[] {
  const { type, text, name, input, output, thinking } = block;
  switch (type) {
    case "text":
      return textLines(text, { width, most: longestText });
    case "thinking":
      return textLines(thinking, { width, most: longestResult, style: { fg: "grey", dim: true } });
    case "tool_use":
      return [
        [
          span(own`▸ ${safe(textOf(name))} `, { fg: "cyan" }),
          span(safe(briefJson(input)), { fg: "grey" }),
        ],
      ];
    case "tool_result":
      return resultLines(output, { width, isError: block["is_error"] === true });
    default:
      return [line(own`(${safe(textOf(type))})`, { fg: "grey" })];
  }
}

function resultLines(
  output: Json | undefined,
  { width, isError }: { readonly width: number; readonly isError: boolean },
): Line[] {
  const sign = isError ? span(own`✗ `, { fg: "red" }) : span(own`✓ `, { fg: "green" });
  const style: Style = isError ? { fg: "red" } : { fg: "grey" };
  const lines = textLines(output, { width: width - 2, most: longestResult, style });
  return lines.map((each, index) => [index === 0 ? sign : span(own`  `), ...each]);
}

type TextLook = { readonly width: number; readonly most: number; readonly style?: Style };

function textLines(value: Json | undefined, { width, most, style }: TextLook): Line[] {
  const text = textOf(value);
  const cut = text.slice(0, mostCharacters);
  const lines = safeLines(cut.trimEnd()).flatMap((each) => wrappedWords(each, width));
  const shown = lines.slice(0, most).map((each) => line(each, style));
  const isCut = lines.length > most || text.length > cut.length;
  return isCut ? [...shown, line(own`… (i shows all of it)`, { fg: "grey" })] : shown;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : briefJson(value);
}

const longestBrief = 500;

/** In one line, cut where it is long. */
export function briefJson(value: Json | undefined): string {
  const text = JSON.stringify(value ?? null);
  return text.length > longestBrief ? `${text.slice(0, longestBrief)}…` : text;
}
