import * as fc from "fast-check";
import { expect } from "vitest";
import { cellsOf } from "../../../src/text/cells.ts";
import type { Frame, Line, Size } from "../../../src/tui/frame/frame.ts";
import { own, safe, type SafeText } from "../../../src/tui/frame/safe-text.ts";
import { openHeadlessScreen } from "../../support/headless-screen.ts";

/** Everything that may be sent to a terminal. */
const allowed = new RegExp(
  [
    String.raw`\u001b\[[\d;]*m`, // looks
    String.raw`\u001b\[\d+;\d+H|\u001b\[\d+G|\u001b\[\d*C|\u001b[78]|\u001b\[H`, // the cursor's place
    String.raw`\u001b\[2X|\u001b\[2J|\u001b\[r`, // blanks, the region that scrolls
    String.raw`\u001b\[\?(?:25|1049|2004|1000|1006)[hl]|\u001b\[8[hl]|\u001b\[2[23];0t`, // modes, the title kept
    String.raw`\u001b\]0;[^\p{C}\p{Default_Ignorable_Code_Point}]{0,180}\u0007`,
    String.raw`[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`,
  ].join("|"),
  "gu",
);

const steering =
  "\u001b \u009b \u001b[31m \u001b]0;x\u0007 \u001b[2J \u001b[5;5H \u001bc \u001b[?1049l \u001bPq \u001b\\ \r \n \b \u0007 \t";
const hiding =
  "\u202e \u2066 \u200b \ufeff \u00ad \u3164 \u2800 \ue000 \ud83d \udc00 \u{e0041} \ufe0f \u200d \u{10ffff}";
const wideAndStacked =
  "漢字 😀 👩‍👩‍👧‍👦 🇨🇭 ❤️ 1️⃣ 👍🏽 🫠 ✅ e\u0301\u0302\u0303\u0304\u0305 \u0301 कि शी שלום مرحبا \u1112\u1161\u11ab 한 𓀀 │ ┐ ● … \u0897 \u4dc0 \u{1f93b}";

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...`${steering} ${hiding} ${wideAndStacked}`.split(" ")),
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.string({ unit: "grapheme", maxLength: 6 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** The texts of the rows of one picture after the other, and the size of the screen. */
const anyPictures = fc.record({
  pictures: fc.array(fc.array(soup, { maxLength: 7 }), { minLength: 1, maxLength: 8 }),
  size: fc.constantFrom(
    { columns: 12, rows: 4 },
    { columns: 40, rows: 7 },
    { columns: 81, rows: 3 },
  ),
});

type Pictures = { readonly pictures: readonly (readonly SafeText[])[]; readonly size: Size };

/** Draws them in frames: borders stay in their columns, nothing is left of the picture before, nothing else is sent. */
export async function expectFramesHold({ pictures, size }: Pictures): Promise<void> {
  const stepwise = openHeadlessScreen({ ...size, title: pictures[0]?.[0] ?? "" });
  const fresh = openHeadlessScreen(size);
  const border = Array.from({ length: size.rows }, () => "│");
  for (const texts of pictures) {
    stepwise.screen.draw(framed(texts, size));
    expect(await stepwise.terminal.column(0)).toEqual(border);
    expect(await stepwise.terminal.column(size.columns - 1)).toEqual(border);
  }
  fresh.screen.draw(framed(pictures.at(-1) ?? [], size));
  expect(await stepwise.terminal.lines()).toEqual(await fresh.terminal.lines());
  for (const { screen, terminal } of [stepwise, fresh]) {
    screen.close();
    expect(terminal.written().replaceAll(allowed, "")).toBe("");
  }
}

function framed(texts: readonly SafeText[], { columns, rows }: Size): Frame {
  const lines = Array.from({ length: rows }, (_, row) => framedLine(texts[row] ?? own``, columns));
  return { lines, cursor: null };
}

function framedLine(text: SafeText, columns: number): Line {
  let inside = "";
  let left = columns - 2;
  for (const { source, width } of cellsOf(text)) {
    if (width > left) break;
    inside += source;
    left -= width;
  }
  inside += " ".repeat(left);
  return [{ text: own`│` }, { text: inside as SafeText, style: { fg: "cyan" } }, { text: own`│` }];
}

/** The pictures as foreign text gets onto the screen; and as it would if nobody had cleaned it. */
export const anyCleaned = anyPictures.map(({ pictures, size }) => ({
  pictures: pictures.map((texts) => texts.map(safe)),
  size,
}));
export const anyUncleaned = anyPictures.map(({ pictures, size }) => ({
  pictures: pictures as unknown as readonly (readonly SafeText[])[],
  size,
}));
