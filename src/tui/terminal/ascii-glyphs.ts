/** What stands for the glyphs of the interface where only ASCII can be shown. */
const glyphs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "-": "─━╌╍┄┅┈┉═╴╶╸╺–—‒−",
    "|": "│┃╎╏┆┇┊┋║╵╷╹╻▏▕",
    "+": "┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬╭╮╰╯┝┥┯┷┠┨┰┸",
    ">": "▶▸►→›»⏵",
    "<": "◀◂◄←‹«",
    "^": "▲▴↑",
    "v": "▼▾↓",
    "*": "●◉•★✱✦⬤∙·◆■",
    "o": "○◌◯◦◇□",
    "x": "✗✘✕×☒",
    "+v": "✓✔☑",
    "!": "⚠",
    "#": "▣█▓▉▊▋▌▍▎▐▀▄",
    ":": "▒░",
    "~": "…≈⋯",
    "'": "‘’",
    '"': "“”",
    " ": "\u00a0\u2002\u2003\u2009",
  }).flatMap(([ascii, signs]) => Array.from(signs, (sign) => [sign, ascii.slice(-1)] as const)),
);

const isAscii = /^[ -~]$/;

export function asciiOf(text: string): string {
  return isAscii.test(text) ? text : (glyphs.get(text) ?? "?");
}
