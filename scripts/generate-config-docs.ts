import { z } from "zod";
import { bareShape, choices, expectation } from "../src/config/shape.ts";
import { agentFile, anthropicProvider, mainFile, offlineProvider } from "../src/schema/config.ts";
import type { GeneratedFile } from "./generated-file.ts";

const head = `# Configuration

Made from the shapes in src/schema/config.ts by \`npm run generate\`; do not edit.

A home holds \`config/main.yaml\`, one file for each agent in \`config/agents.d/\`, one for each provider in
\`config/providers.d/\`, and each agent's texts in \`prompts/<id>/\`: \`system.md\`, which must be there, \`style.md\` and
\`safety.md\`. \`statehive init\` writes all of them; it never overwrites a file.

The home is \`--home DIR\`, else \`STATEHIVE_HOME\`, else \`~/.statehive\`.

## How it is read

- All of it or nothing: one fault anywhere, and nothing starts or changes. \`statehive config validate\` lists all faults at
  once, each as \`file:line:column\` with what was expected and the nearest known key, and exits with 78.
- An unknown key or an unknown YAML file is a fault. So are ids that are there twice, and references to a provider, tool or
  prompt file that does not exist.
- Every key with a default may be left out.
- Plain YAML 1.2 only: one document a file, no anchors, aliases, merge keys, tags or directives, no key twice; at most 64 KiB,
  2000 lines, 400 \`[\` and \`{\`, 32 levels.
- A secret is a reference, never a value: \`env:NAME\` or \`file:PATH\` (relative to the home). A variable that is unset is no
  fault: its provider is not available. A secret file must belong to the user who runs statehive and must not be readable by
  all (mode 0600).
- Configuration, prompts and their directories must belong to that user or to root and must not be writable by all.
- A workspace may not hold the home, nor lie in its \`config\`, \`prompts\`, \`data\`, \`run\` or \`logs\`.
- Times are in milliseconds where the key ends in \`_ms\`, in days where it ends in \`_days\`.

## Environment variables

| variable | does |
|---|---|
| \`STATEHIVE_HOME\` | the home, where \`--home\` is not given |
| \`ANTHROPIC_API_KEY\` | the key of the shipped \`anthropic\` provider (\`api_key: env:ANTHROPIC_API_KEY\`) |
| \`ANTHROPIC_BASE_URL\` | overrides \`base_url\` of every provider of type \`anthropic\` |`;

const files: readonly { readonly title: string; readonly shape: z.ZodObject }[] = [
  { title: "config/main.yaml", shape: mainFile },
  { title: "config/agents.d/*.yaml", shape: agentFile },
  { title: "config/providers.d/*.yaml, `type: anthropic`", shape: anthropicProvider },
  { title: "config/providers.d/*.yaml, `type: offline`", shape: offlineProvider },
];

export function configDocument(): GeneratedFile {
  const sections = files.map(({ title, shape }) => section(title, shape));
  return { path: "docs/configuration.md", content: `${[head, ...sections].join("\n\n")}\n` };
}

function section(title: string, shape: z.ZodObject): string {
  const lines = ["| key | expects | default | meaning |", "|---|---|---|---|", ...rows(shape, "")];
  return [`## ${title}`, "", ...lines].join("\n");
}

function rows(shape: z.ZodObject, prefix: string): string[] {
  return Object.entries(shape.shape).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    const bare = bareShape(value);
    if (bare instanceof z.ZodObject) return rows(bare, `${path}.`);
    return [
      `| \`${path}\` | ${cell(expected(value))} | ${defaultOf(value)} | ${cell(meaning(value))} |`,
    ];
  });
}

function expected(shape: z.core.$ZodType): string {
  const bare = bareShape(shape);
  if (!(bare instanceof z.ZodRecord)) return expectation(shape);
  return `a mapping of a tool to ${expectation(bare.valueType)}`;
}

function defaultOf(shape: z.core.$ZodType): string {
  if (!(shape instanceof z.ZodDefault)) return choices(shape).length === 1 ? "" : "required";
  return cell(`\`${JSON.stringify(shape.def.defaultValue)}\``);
}

function meaning(shape: z.core.$ZodType): string {
  return shape instanceof z.ZodType ? (shape.description ?? "") : "";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
