import { isDeepStrictEqual } from "node:util";
import type { Document, Scalar, YAMLMap } from "yaml";
import { isMap, isNode, isScalar, LineCounter } from "yaml";
import type { Json } from "../schema/json.ts";
import type { ConfigFault } from "./config-fault.ts";
import { parseStrictly, readYaml } from "./yaml-tree.ts";

/** Changes single settings in a YAML text and leaves everything else, comments and layout, as somebody wrote it. */

export type YamlEdit =
  | { readonly path: readonly string[]; readonly value: Json }
  | { readonly path: readonly string[]; readonly removed: true };

export type EditedYaml =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] };

/** `file` names the text in faults. A text with faults of its own is not touched. */
export function editYaml(file: string, text: string, edits: readonly YamlEdit[]): EditedYaml {
  let edited = text;
  for (const edit of edits) {
    const before = readYaml(file, edited);
    if (!before.ok) return before;
    const wanted = withEdit(before.tree.value ?? {}, edit.path, edit);
    edited = inPlace(edited, edit, wanted) ?? rewritten(edited, edit);
  }
  const result = readYaml(file, edited);
  return result.ok ? { ok: true, text: edited } : result;
}

/** The text with the edit made where it belongs; null where that would not read as `wanted`. */
function inPlace(text: string, edit: YamlEdit, wanted: Json): string | null {
  if ("removed" in edit) return null;
  const document = parse(text);
  const found = document.getIn(edit.path, true);
  const edited = isScalar(found)
    ? withScalar(text, found, edit.value)
    : withNewKey(text, document, edit);
  if (edited === null) return null;
  const result = readYaml("", edited);
  return result.ok && isDeepStrictEqual(result.tree.value, wanted) ? edited : null;
}

function withScalar(text: string, { range }: Scalar, value: Json): string | null {
  if (range === undefined || range === null || range[0] === range[1]) return null;
  return text.slice(0, range[0]) + inFlow(value) + text.slice(range[1]);
}

/** A new last line of the mapping that is to hold it. */
function withNewKey(
  text: string,
  document: Document.Parsed,
  edit: { readonly path: readonly string[]; readonly value: Json },
): string | null {
  const parent =
    edit.path.length === 1 ? document.contents : document.getIn(edit.path.slice(0, -1), true);
  const key = edit.path.at(-1);
  if (!isMap(parent) || parent.flow === true || key === undefined || parent.has(key)) return null;
  const indent = columnOf(text, parent.items[0]?.key);
  const lastEnd = endOf(parent);
  if (indent === null || lastEnd === null) return null;
  const lineEnd = text.indexOf("\n", lastEnd - 1);
  const [before, after] =
    lineEnd < 0 ? [`${text}\n`, ""] : [text.slice(0, lineEnd + 1), text.slice(lineEnd + 1)];
  return `${before}${" ".repeat(indent)}${inFlow(key)}: ${inFlow(edit.value)}\n${after}`;
}

function columnOf(text: string, key: unknown): number | null {
  const start = isScalar(key) ? key.range?.[0] : undefined;
  return start === undefined ? null : start - (text.lastIndexOf("\n", start - 1) + 1);
}

/** Where the mapping's last value ends, or its key where it has none. */
function endOf(map: YAMLMap): number | null {
  const last = map.items.at(-1);
  const node = isNode(last?.value) ? last.value : last?.key;
  return isNode(node) ? (node.range?.[1] ?? null) : null;
}

/** The yaml package writes the whole text anew: comments stay, layout may not. */
function rewritten(text: string, edit: YamlEdit): string {
  const document = parse(text);
  if ("removed" in edit) document.deleteIn(edit.path);
  else document.setIn(edit.path, document.createNode(edit.value));
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function parse(text: string): Document.Parsed {
  return parseStrictly(text, new LineCounter());
}

const plainWord = /^[A-Za-z][A-Za-z0-9_./-]*$/;

/** JSON is YAML; a word that YAML takes for a text needs no quotes. */
function inFlow(value: Json): string {
  const isPlain =
    typeof value === "string" && plainWord.test(value) && parse(value).contents?.toJSON() === value;
  return isPlain ? value : JSON.stringify(value);
}

function withEdit(data: Json, path: readonly string[], edit: YamlEdit): Json {
  const [key, ...rest] = path;
  if (key === undefined) return "removed" in edit ? null : edit.value;
  const entries =
    typeof data === "object" && data !== null && !Array.isArray(data)
      ? new Map(Object.entries(data))
      : new Map<string, Json>();
  if (rest.length === 0 && "removed" in edit) entries.delete(key);
  else entries.set(key, withEdit(entries.get(key) ?? {}, rest, edit));
  return Object.fromEntries(entries);
}
