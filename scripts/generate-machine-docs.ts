import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { isBuiltIn, pathOf } from "../src/engine/charts/chart-labels.ts";
import { toMermaid } from "../src/engine/charts/chart-mermaid.ts";
import { toSvg } from "./charts/chart-svg.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { loadMachines, type MachineFile } from "./machines/load-machines.ts";
import { eventsOf, statesOf } from "./machines/state-nodes.ts";
import { filesBelow } from "./source-files.ts";

const folder = "docs/machines";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
const code = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(", ") || "-";

function stateRow(node: AnyStateNode): string {
  const events = [...node.transitions.keys()].filter((event) => !isBuiltIn(event));
  const invoked = node.invoke.map(({ src }) => (typeof src === "string" ? src : "unnamed"));
  const columns = [
    `\`${pathOf(node)}\``,
    cell(node.description ?? "") || "-",
    code(node.tags),
    code(invoked),
    code(events),
  ];
  return `| ${columns.join(" | ")} |`;
}

function eventRow(machine: AnyStateMachine, event: string): string {
  const takers = [machine.root, ...statesOf(machine)].filter(({ transitions }) =>
    transitions.has(event),
  );
  const states = takers.map((node) =>
    node === machine.root ? "every state" : `\`${pathOf(node)}\``,
  );
  return `| \`${event}\` | ${states.join(", ")} |`;
}

export function machineDocument({ file, machine }: MachineFile): GeneratedFile {
  const content = `# ${machine.id}, version ${machine.version ?? "-"}

Made from ${file} by \`npm run generate\`; do not edit.${machine.root.description ? `\n\n${machine.root.description}` : ""}

![The chart of ${machine.id}](${machine.id}.svg)

<details><summary>The same as Mermaid</summary>

\`\`\`mermaid
${toMermaid(machine)}
\`\`\`

</details>

## States

| state | description | tags | activities | events of its own |
|---|---|---|---|---|
${statesOf(machine).map(stateRow).join("\n")}

## Events

| event | taken in |
|---|---|
${eventsOf(machine)
  .map((event) => eventRow(machine, event))
  .join("\n")}
`;
  return { path: `${folder}/${machine.id}.md`, content };
}

/** The picture that `machines show --format svg` prints. */
async function machinePicture({ machine }: MachineFile): Promise<GeneratedFile> {
  return { path: `${folder}/${machine.id}.svg`, content: await toSvg(machine) };
}

export async function machineDocuments(root: string): Promise<GeneratedFile[]> {
  const machines = await loadMachines(root);
  return [...machines.map(machineDocument), ...(await Promise.all(machines.map(machinePicture)))];
}

/** Documents of machines that are no more. */
export function orphanedMachineDocuments(
  root: string,
  documents: readonly GeneratedFile[],
): string[] {
  if (!existsSync(join(root, folder))) return [];
  return filesBelow(root, folder).filter((file) => !documents.some(({ path }) => path === file));
}
