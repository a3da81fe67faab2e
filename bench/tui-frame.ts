import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type { Frame, Line } from "../src/tui/frame/frame.ts";
import { own, safe, type SafeText } from "../src/tui/frame/safe-text.ts";
import { openScreen } from "../src/tui/terminal/open-screen.ts";
import type { Surroundings } from "../src/tui/terminal/surroundings.ts";
import { cpuOf, median, numbersOf, printTable } from "./support/measure.ts";

/** What it costs to draw a frame, from its spans to the bytes that a terminal is sent. */

const { columns, rows, frames, rounds } = numbersOf({
  columns: 200,
  rows: 60,
  frames: 200,
  rounds: 9,
});

let sentBytes = 0;
const output = Object.assign(new EventEmitter(), {
  columns,
  rows,
  write(text: string): boolean {
    sentBytes += Buffer.byteLength(text);
    return true;
  },
});
const nothing = () => () => undefined;
const around: Surroundings = {
  input: new PassThrough(),
  output,
  writeNow: () => undefined,
  after: nothing,
  onSignal: nothing,
  onLeave: nothing,
  onContinue: nothing,
  onStray: nothing,
  stop: () => undefined,
  hangUp: () => undefined,
  exit: () => undefined,
};
const screen = openScreen(
  { colours: true, ascii: false, mouse: false, title: "bench", onStray: () => undefined },
  around,
);

function filled(text: string, cells: number): SafeText {
  return safe(text.repeat(cells).slice(0, cells));
}

/** Two panes side by side, as the interface has them; `changed` is in what changes. */
function row(at: number, changed: number, filling: string): Line {
  const half = Math.floor(columns / 2) - 2;
  const text = `${at} step ${changed} ${filling}`;
  const inside = (): SafeText =>
    filled(text, /\p{ASCII}/u.test(filling) ? half : Math.floor(half / 2));
  return [
    { text: own`│` },
    { text: own`▶ `, style: { fg: "green" } },
    { text: inside(), style: { bold: true } },
    { text: own`│ ` },
    { text: inside() },
    { text: own`│` },
  ];
}

function frame(changedRows: number, number: number, filling: string): Frame {
  const lines = Array.from({ length: rows }, (_, at) =>
    row(at, at < changedRows ? number : 0, filling),
  );
  return { lines, cursor: null };
}

type Case = { readonly name: string; readonly changedRows: number; readonly filling: string };
const cases: readonly Case[] = [
  { name: "nothing changed", changedRows: 0, filling: "working" },
  { name: "one row", changedRows: 1, filling: "working" },
  { name: "all rows", changedRows: rows, filling: "working" },
  { name: "all rows, Chinese", changedRows: rows, filling: "工作" },
  { name: "all rows, emoji", changedRows: rows, filling: "😀✅" },
];

async function measured({ changedRows, filling }: Case): Promise<{ cpu: number; bytes: number }> {
  const pictures = Array.from({ length: frames }, (_, number) =>
    frame(changedRows, number, filling),
  );
  for (const picture of pictures.slice(0, 20)) screen.draw(picture);
  const before = sentBytes;
  const cpu = await cpuOf(async () => {
    for (const picture of pictures) screen.draw(picture);
  });
  return { cpu: cpu / frames, bytes: (sentBytes - before) / frames };
}

const table = [["", "CPU ms a frame", "bytes a frame"]];
for (const each of cases) {
  const found: { cpu: number; bytes: number }[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await measured(each));
  const cpu = median(found.map((one) => one.cpu));
  const bytes = median(found.map((one) => one.bytes));
  table.push([each.name, cpu.toFixed(3), bytes.toFixed(0)]);
}
console.log(`${columns}x${rows}, median of ${rounds} rounds of ${frames} frames`);
printTable(table);
screen.close();
