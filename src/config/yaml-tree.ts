import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Document, Node, Pair, ParsedNode, Scalar } from "yaml";
import type { Json } from "../schema/json.ts";
import type { ConfigFault, Place } from "./config-fault.ts";
import { faultIn, startOfFile } from "./config-fault.ts";
import { refuseYaml } from "./yaml-guard.ts";

/** YAML as plain data that remembers where each value stands. Only the JSON part of YAML is read. */

export type Path = readonly PropertyKey[];

export type YamlTree = {
  readonly value: Json;
  /** Where the value stands; for a key that is not there, where the mapping stands that lacks it. */
  readonly valuePlace: (path: Path) => Place;
  readonly keyPlace: (path: Path) => Place;
};

export type YamlResult =
  | { readonly ok: true; readonly tree: YamlTree }
  | {
      readonly ok: false;
      readonly faults: readonly ConfigFault[];
      /** The entries of the outermost mapping in which nothing is wrong; null where there is nothing to go by. */
      readonly remains: YamlTree | null;
    };

export type YamlParser = (text: string, lines: LineCounter) => Document.Parsed;

const deepestLevel = 32;
const refusedKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export function parseStrictly(text: string, lines: LineCounter): Document.Parsed {
  return parseDocument(text, {
    lineCounter: lines,
    logLevel: "error",
    merge: false,
    prettyErrors: false,
    schema: "core",
    strict: true,
    uniqueKeys: false,
    version: "1.2",
  });
}

/** `parse` is called only for a text that the guard lets through. */
export function readYaml(
  file: string,
  text: string,
  parse: YamlParser = parseStrictly,
): YamlResult {
  const refusal = refuseYaml(text);
  if (refusal !== null)
    return {
      ok: false,
      faults: [faultIn(file, refusal.message, { place: refusal })],
      remains: null,
    };
  const lines = new LineCounter();
  const document = parse(text, lines);
  const syntax = syntaxFaults(file, document, lines);
  const walk: Walk = { file, lines, faults: [], values: new Map(), keys: new Map() };
  if (syntax.length > 0) {
    const remains = remainsOf(walk, document);
    return { ok: false, faults: [...syntax, ...walk.faults], remains };
  }
  const value = document.contents === null ? null : readNode(walk, document.contents, []);
  if (walk.faults.length === 0) return { ok: true, tree: treeOf(walk, value) };
  return { ok: false, faults: walk.faults, remains: withoutFaulty(walk, value) };
}

/** Where the syntax is broken, only what stands in other entries of the outermost mapping is what somebody meant. What an entry
 *  lacks at its end is found out at the start of the next. */
function remainsOf(walk: Walk, document: Document.Parsed): YamlTree | null {
  const { contents, errors } = document;
  if (!isMap(contents)) return null;
  const breaks = errors.map((error) => error.pos[0]);
  const starts = contents.items.map((pair) => startOf(pair.key));
  const sound = contents.items.filter((_, index) => {
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    return !breaks.some((offset) => start <= offset && offset <= end);
  });
  return withoutFaulty(walk, readMap(walk, sound, []));
}

function withoutFaulty(walk: Walk, value: Json): YamlTree | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const faulty = new Set(walk.faults.map(({ path }) => path.split(".", 1)[0]));
  const sound = Object.entries(value).filter(([key]) => !faulty.has(key.split(".", 1)[0]));
  return treeOf(walk, Object.fromEntries(sound));
}

function syntaxFaults(file: string, document: Document.Parsed, lines: LineCounter): ConfigFault[] {
  const warnings = document.warnings.filter((warning) => warning.code !== "TAG_RESOLVE_FAILED");
  const problems = [...document.errors, ...warnings];
  const faults = problems.map((problem) =>
    faultIn(file, messageOf(problem.code, problem.message), {
      place: placeAt(lines, problem.pos[0]),
    }),
  );
  const hasDirective = document.directives.yaml.explicit === true;
  return hasDirective ? [...faults, faultIn(file, "YAML directives (%…) are not read")] : faults;
}

/** The parser quotes the text that it stumbled over, which may be a secret: the quotation is cut off. */
function messageOf(code: string, message: string): string {
  if (code === "MULTIPLE_DOCS")
    return "the file holds more than one document; write one file for each";
  return message.split(': "', 1)[0] ?? message;
}

type Walk = {
  readonly file: string;
  readonly lines: LineCounter;
  readonly faults: ConfigFault[];
  readonly values: Map<string, Place>;
  readonly keys: Map<string, Place>;
};

function readNode(walk: Walk, node: Node | ParsedNode | null, path: Path): Json {
  if (node === null) return null;
  const place = placeOf(walk, node);
  walk.values.set(keyOf(path), place);
  const problem = nodeProblem(node, path);
  if (problem !== null) {
    walk.faults.push(faultIn(walk.file, problem, { place, path }));
    return null;
  }
  if (isMap(node)) return readMap(walk, node.items, path);
  if (isSeq(node))
    return node.items.map((item, index) => readNode(walk, item as Node, [...path, index]));
  return isScalar(node) ? (node.value as Json) : null;
}

function nodeProblem(node: Node, path: Path): string | null {
  if (path.length > deepestLevel) return `nested more than ${deepestLevel} levels deep`;
  if (isAlias(node)) return "aliases (*name) are not read; write the value out";
  if ("anchor" in node && node.anchor !== undefined)
    return "anchors (&name) are not read; write the value out";
  if (node.tag !== undefined) return "tags (!name) are not read; write the plain value";
  return isScalar(node) ? scalarProblem(node) : null;
}

function scalarProblem(node: Scalar): string | null {
  if (typeof node.value !== "number" || Number.isSafeInteger(node.value)) return null;
  if (!Number.isFinite(node.value)) return "not a number that can be used";
  return Number.isInteger(node.value)
    ? "the number has too many digits to be exact; where a text is expected, put it in quotes"
    : null;
}

function readMap(walk: Walk, pairs: readonly Pair[], path: Path): Json {
  const entries = new Map<string, Json>();
  for (const pair of pairs) {
    const key = readKey(walk, pair, path);
    if (key === null) continue;
    const problem = keyProblem(key, entries);
    if (problem === null)
      entries.set(key, readNode(walk, pair.value as Node | null, [...path, key]));
    else
      walk.faults.push(
        faultIn(walk.file, problem, {
          place: placeOf(walk, pair.key as Node),
          path: [...path, key],
        }),
      );
  }
  return Object.fromEntries(entries);
}

function readKey(walk: Walk, pair: Pair, path: Path): string | null {
  const key = pair.key as Node | null;
  const place = key === null ? startOfFile : placeOf(walk, key);
  if (!isScalar(key) || typeof key.value !== "string") {
    walk.faults.push(faultIn(walk.file, "a key is text; put it in quotes", { place, path }));
    return null;
  }
  const problem = nodeProblem(key, path);
  if (problem !== null) {
    walk.faults.push(faultIn(walk.file, problem, { place, path }));
    return null;
  }
  walk.keys.set(keyOf([...path, key.value]), place);
  return key.value;
}

function keyProblem(key: string, entries: ReadonlyMap<string, Json>): string | null {
  if (key === "<<") return "merge keys (<<) are not read; write the keys out";
  if (refusedKeys.has(key)) return `the key ${key} is refused`;
  return entries.has(key) ? "the key is there twice" : null;
}

function treeOf(walk: Walk, value: Json): YamlTree {
  const find = (first: ReadonlyMap<string, Place>, path: Path): Place => {
    for (let length = path.length; length >= 0; length -= 1) {
      const key = keyOf(path.slice(0, length));
      const place =
        (length === path.length ? first.get(key) : undefined) ??
        walk.keys.get(key) ??
        walk.values.get(key);
      if (place !== undefined) return place;
    }
    return startOfFile;
  };
  return {
    value,
    valuePlace: (path) => find(walk.values, path),
    keyPlace: (path) => find(walk.keys, path),
  };
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String));
}

function placeOf(walk: Walk, node: Node): Place {
  return placeAt(walk.lines, startOf(node));
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return line === 0 ? startOfFile : { line, column: col };
}
