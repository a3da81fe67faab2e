import type { Colour, Style } from "../frame/frame.ts";

/** The look of a cell as blessed keeps it: flags, foreground and background in one number of 27 bits. */

const numberOf: { readonly [colour in Colour]: number } = {
  red: 1,
  green: 2,
  yellow: 3,
  blue: 4,
  magenta: 5,
  cyan: 6,
  grey: 8,
};
const ordinary = 0x1ff;
const flags = { bold: 1, underline: 2, inverse: 8 } as const;

/** blessed knows no faint text: it is grey, and without colours it is plain. */
export function attributeOf(style: Style | undefined, colours: boolean): number {
  if (style === undefined) return (ordinary << 9) | ordinary;
  const foreground = style.fg ?? (style.dim === true ? "grey" : undefined);
  const set =
    (style.bold === true ? flags.bold : 0) |
    (style.underline === true ? flags.underline : 0) |
    (style.inverse === true ? flags.inverse : 0);
  return (set << 18) | (numbered(foreground, colours) << 9) | numbered(style.bg, colours);
}

function numbered(colour: Colour | undefined, colours: boolean): number {
  return colour === undefined || !colours ? ordinary : numberOf[colour];
}
