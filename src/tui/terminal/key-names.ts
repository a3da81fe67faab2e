import type { Key } from "../screen.ts";

/** The name of what one press sends: a character, a control character, or a whole sequence. */

const byLetter: ReadonlyMap<string, string> = new Map(
  Object.entries({
    A: "up",
    B: "down",
    C: "right",
    D: "left",
    F: "end",
    H: "home",
    M: "enter",
    P: "f1",
    Q: "f2",
    R: "f3",
    S: "f4",
    Z: "S-tab",
  }),
);

const byNumber: ReadonlyMap<number, string> = new Map([
  [1, "home"],
  [2, "insert"],
  [3, "delete"],
  [4, "end"],
  [5, "pageup"],
  [6, "pagedown"],
  [7, "home"],
  [8, "end"],
  ...[11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24].map(
    (code, at) => [code, `f${at + 1}`] as const,
  ),
]);

const byCharacter: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "\r": "enter",
    "\t": "tab",
    "\b": "backspace",
    "\u007f": "backspace",
    "\u001b": "escape",
    "\0": "C-space",
  }),
);

const sequence = /^\u001b(\u001b?)([[O])(\[?)(\d*)(?:;(\d+))?([~^A-Za-z])$/;
const mostModifiers = 15;
const isControl = /^\p{Cc}$/u;

/** Undefined for what is no key that we know. */
export function keyOf(pressed: string): Key | undefined {
  const [first = "", ...rest] = pressed;
  if (rest.length === 0) return ofCharacter(pressed);
  const parts = sequence.exec(pressed);
  if (parts !== null) return ofSequence(parts);
  const [meant = "", ...more] = rest;
  if (first !== "\u001b" || more.length > 0) return undefined;
  const key = ofCharacter(meant);
  return key && { name: withModifiers(key.name, { alt: true }) };
}

function ofCharacter(character: string): Key | undefined {
  const named = byCharacter.get(character);
  if (named !== undefined) return { name: named };
  if (!isControl.test(character)) return { name: character, text: character };
  const code = character.charCodeAt(0);
  if (code >= 0x80) return undefined;
  return { name: `C-${String.fromCharCode(code + 0x40).toLowerCase()}` };
}

function ofSequence(parts: RegExpExecArray): Key | undefined {
  const [, escaped, opening, linux, number = "", modifier = "1", final = ""] = parts;
  const bits = Number(modifier) - 1;
  if (bits > mostModifiers) return undefined;
  const name = nameOf({ linux: linux === "[", number: Number(number), final });
  if (name === undefined) return undefined;
  return {
    name: withModifiers(name, {
      ctrl: (bits & 4) !== 0 || final === "^" || isLowArrow(opening, "O", final),
      alt: (bits & 10) !== 0 || escaped !== "",
      shift: (bits & 1) !== 0 || isLowArrow(opening, "[", final),
    }),
  };
}

/** rxvt marks arrows with small letters: after `[` for Shift, after `O` for Ctrl. */
function isLowArrow(opening: string | undefined, wanted: string, final: string): boolean {
  return opening === wanted && final >= "a" && final <= "d";
}

type Code = { readonly linux: boolean; readonly number: number; readonly final: string };

function nameOf({ linux, number, final }: Code): string | undefined {
  if (linux) return final >= "A" && final <= "E" ? `f${final.charCodeAt(0) - 64}` : undefined;
  if (final === "~" || final === "^") return byNumber.get(number);
  if (final >= "a" && final <= "d") return byLetter.get(final.toUpperCase());
  return number > 1 ? undefined : byLetter.get(final);
}

type Modifiers = { readonly ctrl?: boolean; readonly alt?: boolean; readonly shift?: boolean };

function withModifiers(name: string, { ctrl, alt, shift }: Modifiers): string {
  const isNamed = (prefix: string) => name.startsWith(prefix) && name.length > prefix.length;
  const bare = name.replace(/^(?:C-)?(?:S-)?(?=.)/, "");
  return [
    ctrl === true || isNamed("C-") ? "C-" : "",
    alt === true ? "M-" : "",
    shift === true || isNamed("S-") ? "S-" : "",
    bare,
  ].join("");
}
