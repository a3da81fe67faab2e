/** A linear look at a text before the yaml package sees it: the package ends the whole process on some deep input and is
 *  quadratic on others. It never guesses what is quoted: it counts everything, so each count is an upper bound. */

export type YamlLimits = {
  readonly bytes: number;
  readonly lines: number;
  /** `[` and `{` in the whole file. */
  readonly flowOpeners: number;
  /** `- `, `? ` and `: ` in the lines that may enclose a line. */
  readonly blockNesting: number;
  readonly aliases: number;
};

export const yamlLimits: YamlLimits = {
  bytes: 65_536,
  lines: 2_000,
  flowOpeners: 400,
  blockNesting: 64,
  aliases: 20,
};

export type GuardRefusal = {
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

type Level = { readonly indent: number; readonly indicators: number };

type Scan = {
  readonly text: string;
  readonly limits: YamlLimits;
  position: number;
  line: number;
  flowOpeners: number;
  aliases: number;
  levels: Level[];
  nesting: number;
};

const newline = 10;
const tab = 9;
const space = 32;
const dash = 45;
const question = 63;
const colon = 58;
const openBracket = 91;
const openBrace = 123;
const asterisk = 42;

/** Null when the text may go to the yaml parser. */
export function refuseYaml(text: string, limits: YamlLimits = yamlLimits): GuardRefusal | null {
  if (text.length > limits.bytes || Buffer.byteLength(text) > limits.bytes) {
    return { line: 1, column: 1, message: `the file is larger than ${limits.bytes} bytes` };
  }
  const scan: Scan = {
    text,
    limits,
    position: 0,
    line: 1,
    flowOpeners: 0,
    aliases: 0,
    levels: [],
    nesting: 0,
  };
  while (scan.position < text.length) {
    const start = scan.position;
    const message = scanLine(scan);
    if (message !== null)
      return { line: scan.line, column: Math.max(1, scan.position - start), message };
    scan.line += 1;
  }
  return null;
}

function scanLine(scan: Scan): string | null {
  if (scan.line > scan.limits.lines) return `the file has more than ${scan.limits.lines} lines`;
  const indent = skipIndent(scan);
  let indicators = 0;
  while (scan.position < scan.text.length) {
    const code = scan.text.charCodeAt(scan.position);
    scan.position += 1;
    if (code === newline) break;
    if (isIndicator(code) && isBlank(scan.text.charCodeAt(scan.position))) indicators += 1;
    const message = countOpener(scan, code) ?? countAlias(scan, code);
    if (message !== null) return message;
    if (indicators > scan.limits.blockNesting) return nestingMessage;
  }
  return indicators > 0 ? enterLevel(scan, { indent, indicators }) : null;
}

const nestingMessage = "the file nests too deeply";

function skipIndent(scan: Scan): number {
  const start = scan.position;
  while (isIndent(scan.text.charCodeAt(scan.position))) scan.position += 1;
  return scan.position - start;
}

function enterLevel(scan: Scan, level: Level): string | null {
  let top = scan.levels.at(-1);
  while (top !== undefined && top.indent >= level.indent) {
    scan.nesting -= top.indicators;
    scan.levels.pop();
    top = scan.levels.at(-1);
  }
  scan.levels.push(level);
  scan.nesting += level.indicators;
  return scan.nesting > scan.limits.blockNesting ? nestingMessage : null;
}

function countOpener(scan: Scan, code: number): string | null {
  if (code !== openBracket && code !== openBrace) return null;
  scan.flowOpeners += 1;
  if (scan.flowOpeners <= scan.limits.flowOpeners) return null;
  return `the file has more than ${scan.limits.flowOpeners} [ and {; write lists and mappings one entry per line`;
}

function countAlias(scan: Scan, code: number): string | null {
  if (code !== asterisk || isWordEnd(scan.text.charCodeAt(scan.position))) return null;
  if (!mayPrecedeAlias(scan.text.charCodeAt(scan.position - 2))) return null;
  scan.aliases += 1;
  return scan.aliases > scan.limits.aliases
    ? `the file has more than ${scan.limits.aliases} aliases`
    : null;
}

function isIndicator(code: number): boolean {
  return code === dash || code === question || code === colon;
}

function isIndent(code: number): boolean {
  return code === space || code === tab;
}

function isBlank(code: number): boolean {
  return Number.isNaN(code) || isIndent(code) || code === newline || code === 13;
}

function isWordEnd(code: number): boolean {
  return isBlank(code) || code === asterisk || code === 47 || code === 34 || code === 39;
}

function mayPrecedeAlias(code: number): boolean {
  return isBlank(code) || code === openBracket || code === openBrace || code === 44;
}
