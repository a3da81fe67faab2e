import { checkedUrl } from "../../src/adapters/web/checked-url.ts";
import { canonicalJson } from "../../src/policy/canonical-json.ts";
import { matchesCapability, patternFault } from "../../src/policy/capability.ts";
import { matchesSegments } from "../../src/policy/glob.ts";
import { parseJsonInput, refuseHostileKeys } from "../../src/policy/json-input.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import { codeWords } from "../../src/policy/shell-code-files.ts";
import { commandCapability, readCommand } from "../../src/policy/shell-command.ts";
import { reachOf } from "../../src/policy/shell-grant.ts";
import { visibleText } from "../../src/policy/visible-text.ts";

/** Text of strangers, of any length, each of a kind that makes a careless reader go over it again and again. */

export type HostileInput = {
  readonly name: string;
  /** Makes the text, and gives what reads it. A refusal is an answer too. */
  readonly of: (characters: number) => () => unknown;
};

const filled = (piece: string, characters: number) =>
  piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters);

function texts(
  what: string,
  read: (text: string) => unknown,
  makers: { readonly [name: string]: (characters: number) => string },
): HostileInput[] {
  return Object.entries(makers).map(([name, make]) => ({
    name: `${what}: ${name}`,
    of: (characters) => {
      const text = make(characters);
      return () => orRefused(() => read(text));
    },
  }));
}

function orRefused(read: () => unknown): unknown {
  try {
    return read();
  } catch (refusal) {
    return refusal;
  }
}

const manyStars = "**/a*a*a*b/**/a*b/a*c/**/d".split("/");

const secrets = ["aaaaaaaaaaaaaaaaaaab", "abababababababac", "pass/word+with\"marks'&more"];
const redactor = createRedactor(secrets);
const base64Secret = Buffer.from(secrets[2] ?? "").toString("base64");

function toldInPieces(text: string): number {
  const stream = redactor.stream();
  let told = 0;
  for (let at = 0; at < text.length; at += 16) told += stream.push(text.slice(at, at + 16)).length;
  return told + stream.end().length;
}

const urlRules = { ports: [80, 443], isAllowedAddress: () => true };

export const hostileInputs: readonly HostileInput[] = [
  ...texts(
    "capability",
    (path) => matchesCapability("fs.read:**/a*b/**/c*d/**", `fs.read:${path}`),
    {
      "a long path": (size) => filled("a/c/", size),
      "a path up and down": (size) => filled("a/../", size),
      "a long name": (size) => filled("a", size),
    },
  ),
  ...texts("capability", (host) => matchesCapability("net.fetch:*.a.a", `net.fetch:${host}`), {
    "a long host": (size) => filled("a.", size),
  }),
  ...texts("pattern", (pattern) => patternFault(`fs.read:${pattern}`), {
    "many stars": (size) => filled("**/*/", size),
  }),
  ...texts("pattern", (pattern) => matchesCapability(pattern, "fs.read:a/b/c"), {
    "many parts of a kind": (size) => filled("*.", size),
  }),
  ...texts("glob", (path) => matchesSegments(manyStars, path.split("/")), {
    "many segments": (size) => `${filled("aab/aac/ab/", size)}/d`,
    "almost a run of segments": (size) => `${filled("aaab/ab/", size)}/d`,
    "a long segment": (size) => filled("a", size),
  }),
  ...texts("glob", (glob) => matchesSegments(glob.split("/"), filled("a/", 4096).split("/")), {
    "a glob of many stars": (size) => `${"**/a*/".repeat(size / 6)}a`,
  }),
  ...texts("command", commandCapability, {
    "many words": (size) => filled("a ", size),
    "one word": (size) => filled("a", size),
    "blanks in the middle": (size) => `a${filled(" ", size)};`,
    "blanks at the end": (size) => `a${filled(" ", size)}`,
    "an unclosed quote": (size) => `a '${filled("b", size)}`,
    "many quotes": (size) => `a ${filled("''", size)}`,
    "quotes of both kinds": (size) => `a ${filled(`'"'`, size)}`,
    "a program of digits": (size) => `${filled("1", size)}a`,
    "a program far away": (size) => `${filled("a/", size)}b`,
  }),
  ...texts("what of a command can be granted", (text) => reachOf(readCommand(text)), {
    "many words": (size) => `a ${filled("b1 ", size)}`,
    "many versions": (size) => `a ${filled("1.", size)}b`,
  }),
  ...texts("files that a command runs", (text) => codeWords(readCommand(text)), {
    "many words": (size) => `a ${filled("b1 ", size)}`,
    "many commands": (size) => filled("a;", size),
    "many shells": (size) => filled("sh|", size),
    "assignments": (size) => filled("A=1 ", size),
    "signs of a shell": (size) => filled("\\\"'$", size),
    "blanks": (size) => `;${filled(" ", size)}a`,
  }),
  ...texts("JSON", parseJsonInput, {
    "opened for ever": (size) => filled("[", size),
    "many keys": (size) => `{${filled(`"a":1,`, size)}"b":1}`,
    "many small arrays": (size) => `[${filled("[],", size)}0]`,
    "backslashes": (size) => `"${filled("\\\\", size)}"`,
    "an unclosed string": (size) => `"${filled("a", size)}`,
    "a long number": (size) => filled("1", size),
  }),
  ...texts("values", (text) => refuseHostileKeys(JSON.parse(text)), {
    "a long list": (size) => `[${filled("[0],", size)}0]`,
  }),
  ...texts("canonical JSON", (text) => canonicalJson(JSON.parse(text) as never), {
    "a long list": (size) => `[${filled(`{"b":1,"a":2},`, Math.ceil(size / 14) * 14)}0]`,
  }),
  ...texts("redaction", redactor.text, {
    "almost a secret": (size) => filled("aaaaaaaaaaaaaaaaaaa", size),
    "almost another": (size) => filled("ab", size),
    "one secret after the other": (size) => filled("aaaaaaaaaaaaaaaaaaab", size),
    "secrets in base64": (size) => filled(base64Secret, size),
    "one run of base64": (size) => `${filled("A", size)}${base64Secret}`,
  }),
  ...texts("redaction in pieces", toldInPieces, {
    "almost a secret": (size) => filled("aaaaaaaaaaaaaaaaaaa", size),
    "secrets in base64": (size) => filled(base64Secret, size),
  }),
  ...texts("redaction of values", (text) => redactor.json(JSON.parse(text)), {
    "many keys": (size) => `[${filled(`{"aaaaaaaa":"aaaaaaaa"},`, Math.ceil(size / 24) * 24)}0]`,
  }),
  ...texts("URL", (url) => checkedUrl(url, urlRules), {
    "a long host": (size) => `https://${filled("a.", size)}`,
    "a host of other letters": (size) => `https://${filled("ü", size)}.example.org`,
    "a long path": (size) => `https://example.org/${filled("a/../", size)}`,
    "escaped characters": (size) => `https://example.org/?${filled("%", size)}`,
    "many users": (size) => `https://${filled("a@", size)}`,
  }),
  ...texts("text that is shown", visibleText, {
    "hidden characters": (size) => filled("\u202e", size),
  }),
];
