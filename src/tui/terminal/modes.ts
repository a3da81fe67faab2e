/** What is switched on in the terminal while the screen is shown, and off again; every sequence that we send ourselves is here. */

type Mode = { readonly on: string; readonly off: string };

const titleKept: Mode = { on: "\u001b[22;0t", off: "\u001b[23;0t" };
const otherScreen: Mode = { on: "\u001b[?1049h", off: "\u001b[?1049l" };
const pasteMarks: Mode = { on: "\u001b[?2004h", off: "\u001b[?2004l" };
/** Text is drawn in the order of its cells; otherwise a terminal may move what stands between two words of Hebrew. */
const cellOrder: Mode = { on: "\u001b[8l", off: "\u001b[8h" };
/** Presses and the wheel, never movements, with positions of any size. */
const mouse: Mode = { on: "\u001b[?1000h\u001b[?1006h", off: "\u001b[?1006l\u001b[?1000l" };
const plainLook = "\u001b[m";
const wholeRegion = "\u001b[r";

export const hideCursor = "\u001b[?25l";
export const bell = "\u0007";

const showCursorAsItWas = "\u001b[?25h";
export const blankScreen = `${plainLook}\u001b[H\u001b[2J`;

export function cursorAt({ x, y }: { readonly x: number; readonly y: number }): string {
  return `\u001b[${y + 1};${x + 1}H${showCursorAsItWas}`;
}

/** @param title cleaned */
export function entering(title: string, hasMouse: boolean): string {
  return `${titleKept.on}${otherScreen.on}\u001b]0;${title}\u0007${modesOn(hasMouse)}`;
}

/** What a shell or another program may have changed while the process was stopped. */
export function modesOn(hasMouse: boolean): string {
  return `${pasteMarks.on}${cellOrder.on}${hasMouse ? mouse.on : ""}${hideCursor}${blankScreen}`;
}

/** Also what we never switched on: a crash must not leave anything behind. */
export const leaving = [
  plainLook,
  wholeRegion,
  mouse.off,
  cellOrder.off,
  pasteMarks.off,
  showCursorAsItWas,
  otherScreen.off,
  titleKept.off,
].join("");
