import { callText } from "../../text/call-text.ts";
import { wrapWords } from "../../text/wrap-words.ts";
import type { Line, Style } from "../frame/frame.ts";
import { line, span } from "../frame/line.ts";
import { own, safe, safeLines, type SafeText, wrapped } from "../frame/safe-text.ts";
import { jsonLines } from "../look/json-lines.ts";
import type { Answer, Call, Entry, Note, Question, Said } from "./entry.ts";
import { WrappedText } from "./wrapped-text.ts";

export type EntryLook = {
  readonly width: number;
  /** Calls with all that went in and came out. */
  readonly isExpanded: boolean;
};

const indent = own`  `;
const linesOfResult = 200;
const callStyles: { readonly [status: string]: Style } = {
  done: { fg: "green" },
  denied: { fg: "yellow" },
  failed: { fg: "red" },
};

/** The rows of entries, made once for each state of theirs; of an answer that grows, only its last row is made again. */
export class EntryLines {
  private readonly made = new WeakMap<
    Entry,
    { readonly of: string; readonly lines: readonly Line[] }
  >();
  private readonly texts = new WeakMap<Answer, Growing>();

  of(entry: Entry, look: EntryLook): readonly Line[] {
    const of = `${entry.version} ${look.width} ${look.isExpanded}`;
    const known = this.made.get(entry);
    if (known?.of === of) return known.lines;
    const lines = this.make(entry, look);
    this.made.set(entry, { of, lines });
    return lines;
  }

  private make(entry: Entry, look: EntryLook): readonly Line[] {
    switch (entry.kind) {
      case "said":
        return saidLines(entry, look.width);
      case "answer":
        return this.answerLines(entry, look.width);
      case "call":
        return callLines(entry, look);
      case "question":
        return questionLines(entry, look.width);
      case "note":
        return noteLines(entry, look.width);
    }
  }

  private answerLines(entry: Answer, width: number): readonly Line[] {
    const of = `${entry.begun} ${width}`;
    let known = this.texts.get(entry);
    if (known?.of !== of) {
      known = { of, length: 0, text: new WrappedText(width - indent.length), settled: [] };
      this.texts.set(entry, known);
    }
    known.text.push(entry.text.slice(known.length));
    known.length = entry.text.length;
    const { settled, text } = known;
    for (const row of text.settled.slice(settled.length)) settled.push(answerLine(row));
    return text.open === "" && settled.length > 0
      ? [...settled]
      : [...settled, answerLine(text.open)];
  }
}

/** How far the text of an answer is made into rows. */
type Growing = {
  readonly of: string;
  length: number;
  readonly text: WrappedText;
  readonly settled: Line[];
};

function answerLine(text: string): Line {
  return [span(indent), span(safe(text))];
}

function saidLines({ text, note }: Said, width: number): Line[] {
  const lines = safeLines(text).flatMap((each) =>
    wrapWords(each, Math.max(8, width - 2)).map((part): Line => [
      span(own`› `, { fg: "cyan" }),
      span(safe(part)),
    ]),
  );
  return note === "" ? lines : [...lines, line(own`  (${safe(note)})`, { fg: "grey" })];
}

function callLines(entry: Call, { width, isExpanded }: EntryLook): Line[] {
  const { tool, input, status } = entry;
  const glyph = status === null ? own`▶` : own`▸`;
  const head: Line = [
    span(own`  ${glyph} `, { fg: "grey" }),
    span(safe(callText(tool, input)), { fg: "blue" }),
    span(
      own`  ${endOf(entry)}`,
      callStyles[entry.isError ? "failed" : (status ?? "")] ?? { fg: "grey" },
    ),
  ];
  if (!isExpanded) return [head];
  const room = Math.max(8, width - 6);
  const bar = span(own`    │ `, { fg: "grey" });
  const output = status === null ? [] : safeLines(entry.output);
  const came = output
    .slice(0, linesOfResult)
    .flatMap((each) => wrapped(each, room).map((part) => line(part)));
  const cut =
    output.length > linesOfResult ? [line(own`… ${output.length - linesOfResult} more lines`)] : [];
  const rows: Line[] = [...jsonLines(input, room), ...came, ...cut];
  return [head, ...rows.map((row): Line => [bar, ...row])];
}

function endOf({ status, output, isError }: Call): SafeText {
  if (status === null) return own`…`;
  const [first = "", ...more] = output.split("\n");
  if (isError)
    return own`✗ ${safe(status === "done" ? "error" : status)}: ${safe(first.slice(0, 200))}`;
  if (status !== "done") return own`✗ ${safe(status)}`;
  const lines = first === "" && more.length === 0 ? 0 : more.length + 1;
  return lines < 2 ? own`✓ done` : own`✓ ${lines} lines (C-o)`;
}

function questionLines({ approval, decided }: Question, width: number): Line[] {
  const { id, kind, summary, tool } = approval;
  const about = kind === "call" ? own`wants to: ${safe(tool)}, ` : own`asks: `;
  const text = own`? ${safe(id)} ${about}${safe(summary)}`;
  const style: Style = decided === null ? { fg: "yellow", bold: true } : { fg: "grey" };
  const end =
    decided === null ? own`C-y shows all of it and takes your answer` : own`${safe(decided)}`;
  return [
    ...wrapWords(text, Math.max(8, width - 4))
      .slice(0, 4)
      .map((part) => line(own`  ${safe(part)}`, style)),
    line(own`    ${end}`, decided === null ? { fg: "yellow" } : { fg: "grey" }),
  ];
}

function noteLines({ text, mood }: Note, width: number): Line[] {
  const style: Style = mood === "bad" ? { fg: "red" } : { fg: "grey" };
  return wrapWords(safe(text), Math.max(8, width - 4)).map((part, index) =>
    line(index === 0 ? own`  · ${safe(part)}` : own`    ${safe(part)}`, style),
  );
}
