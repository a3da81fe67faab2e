import { z } from "zod";
import { configFiles } from "../src/config/config-files.ts";
import { notYetWork } from "../src/config/not-yet.ts";
import { bareShape, choices, expectation, layersOf } from "../src/config/shape.ts";
import type { GeneratedFile } from "./generated-file.ts";

const head = `# Configuration

Made from the shapes in src/schema/config/ by \`npm run generate\`; do not edit.

A home holds \`config/main.yaml\`, \`config/routing.yaml\`, \`config/schedules.yaml\`, one file for each agent in
\`config/agents.d/\`, one for each provider in \`config/providers.d/\`, and each agent's texts in \`prompts/<id>/\`: \`system.md\`, which must be there, \`style.md\` and
\`safety.md\`. \`statehive init\` writes all of them; it never overwrites a file.

The home is \`--home DIR\`, else \`STATEHIVE_HOME\`, else \`~/.statehive\`.

## How it is read

- All of it or nothing: one fault anywhere, and nothing starts or changes. \`statehive config validate\` lists all faults at
  once, each as \`file:line:column\` with what was expected and the nearest known key, and exits with 78.
- An unknown key or an unknown YAML file is a fault. So are ids that are there twice, references to an agent, provider,
  connector, tool or prompt file that does not exist, and bindings to a disabled agent or behind one that takes all of theirs.
- A key that says **not used yet** is for what this version does not do: it is checked like any other and changes nothing.
  Where you set it to something else than its default, \`config validate\`, \`start\` and the log say so.
- Every key with a default may be left out.
- Plain YAML 1.2 only: one document a file, no anchors, aliases, merge keys, tags or directives, no key twice; at most 64 KiB,
  2000 lines, 400 \`[\` and \`{\`, 32 levels.
- A secret is a reference, never a value: \`env:NAME\` or \`file:PATH\` (relative to the home). A variable that is unset is no
  fault: its provider is not available; only that of a connector which others call is one. A secret file must belong to the user who runs statehive and must not be readable by
  all (mode 0600).
- Configuration, prompts and their directories must belong to that user or to root and must not be writable by all.
- A workspace may not hold the home, nor lie in its \`config\`, \`prompts\`, \`data\`, \`run\` or \`logs\`.
- Times are in milliseconds where the key ends in \`_ms\`, in days where it ends in \`_days\`.

## In an editor, and by program

\`statehive config schema\` prints JSON schemas (draft 2020-12) of all files; \`init\` lays them into \`config/.schema/\`, where
the first line of each shipped file points, so that an editor with a YAML language server completes and checks keys. After an
upgrade, \`statehive init\` renews them. What lies between files only \`config validate\` checks.

## Environment variables

| variable | does |
|---|---|
| \`STATEHIVE_HOME\` | the home, where \`--home\` is not given |
| \`ANTHROPIC_API_KEY\` | the key of the shipped \`anthropic\` provider (\`api_key: env:ANTHROPIC_API_KEY\`) |
| \`ANTHROPIC_BASE_URL\`, \`OPENAI_BASE_URL\`, \`GEMINI_BASE_URL\` | override \`base_url\` of every provider of that type |`;

export function configDocument(): GeneratedFile {
  const sections = Object.values(configFiles).flatMap(({ place, shape }) => {
    if (!(shape instanceof z.ZodDiscriminatedUnion)) return [section(`## ${place}`, shape)];
    return shape.options.map((option) =>
      section(`## ${place}, \`type: ${typeOf(option)}\``, option),
    );
  });
  return { path: "docs/configuration.md", content: `${[head, ...sections].join("\n\n")}\n` };
}

function typeOf(shape: z.core.$ZodType): string {
  return shape instanceof z.ZodObject ? choices(shape.shape["type"]).join() : "";
}

function section(title: string, shape: z.core.$ZodType): string {
  const rows = rowsBelow(shape, { prefix: "", isUnused: false });
  return [
    title,
    "",
    ...(shape instanceof z.ZodArray ? ["A list; each entry has these keys.", ""] : []),
    "| key | expects | default | meaning |",
    "|---|---|---|---|",
    ...rows.map(line),
  ].join("\n");
}

const unused = "**Not used yet.**";

type Row = readonly [key: string, expects: string, usual: string, meaning: string];
type Above = { readonly prefix: string; readonly isUnused: boolean };

/** What is in a mapping, in the entries of a list and in the values of a mapping of anybody's names. */
function rowsBelow(shape: z.core.$ZodType, { prefix, isUnused: isWithinUnused }: Above): Row[] {
  const bare = bareShape(shape);
  if (bare instanceof z.ZodArray)
    return rowsBelow(bare.element, {
      prefix: `${prefix}[].`,
      isUnused: isWithinUnused || isUnused(bare.element),
    });
  if (bare instanceof z.ZodRecord)
    return rowsBelow(bare.valueType, { prefix: `${prefix}.*.`, isUnused: isWithinUnused });
  if (bare instanceof z.ZodDiscriminatedUnion)
    return rowsOfVariants(bare, { prefix, isUnused: isWithinUnused });
  if (!(bare instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(bare.shape).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    const isUnusedHere = isWithinUnused || isUnused(value);
    const isMapping = bareShape(value) instanceof z.ZodObject;
    const below = rowsBelow(value, {
      prefix: isMapping ? `${path}.` : path,
      isUnused: isUnusedHere,
    });
    const isAlwaysThere = isMapping && !layersOf(value).some((one) => one instanceof z.ZodNullable);
    return isAlwaysThere ? below : [row(path, value, isUnusedHere), ...below];
  });
}

/** What all variants have is told once. */
function rowsOfVariants(union: z.ZodDiscriminatedUnion, above: Above): Row[] {
  const variants = union.options.map((option) => ({
    type: typeOf(option),
    rows: new Map(rowsBelow(option, above).map((cells) => [cells.join("|"), cells])),
  }));
  const all = new Map(variants.flatMap(({ rows }) => [...rows]));
  return [...all].map(([text, cells]) => {
    const having = variants.filter(({ rows }) => rows.has(text));
    if (having.length === variants.length) return cells;
    const [key, expects, usual, told] = cells;
    return [key, expects, usual, `${having.map(({ type }) => `\`${type}\``).join(", ")}: ${told}`];
  });
}

function row(path: string, shape: z.core.$ZodType, isUnusedHere: boolean): Row {
  return [`\`${path}\``, expected(shape), defaultOf(shape), meaning(shape, isUnusedHere)];
}

function line(cells: Row): string {
  return `| ${cells.map(cell).join(" | ")} |`;
}

function isUnused(shape: z.core.$ZodType): boolean {
  const marks = layersOf(shape).map((layer) =>
    layer instanceof z.ZodType ? layer.meta()?.notYet : undefined,
  );
  return marks.some((mark) => typeof mark === "string");
}

function expected(shape: z.core.$ZodType): string {
  const bare = bareShape(shape);
  if (!(bare instanceof z.ZodRecord)) return expectation(shape);
  const names = choices(bare.keyType).length > 0 ? "a tool" : expectation(bare.keyType);
  return `a mapping of ${names} to ${expectation(bare.valueType)}`;
}

function defaultOf(shape: z.core.$ZodType): string {
  if (shape instanceof z.ZodDefault) return `\`${JSON.stringify(shape.def.defaultValue)}\``;
  const isGiven = shape instanceof z.ZodLiteral || shape instanceof z.ZodPrefault;
  return isGiven ? "" : "required";
}

function meaning(shape: z.core.$ZodType, isUnusedHere: boolean): string {
  const description = shape instanceof z.ZodType ? (shape.description ?? "") : "";
  const bare = bareShape(shape);
  const named = bare instanceof z.ZodArray ? bare.element : bare;
  const coming = choices(named).filter((choice) => notYetWork(named, choice) !== undefined);
  if (isUnusedHere) return `${description} ${unused}`;
  return coming.length === 0 ? description : `${description} Not there yet: ${coming.join(", ")}.`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
