import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyStateMachine } from "xstate";
import { filesBelow } from "../source-files.ts";

export type MachineFile = {
  /** Relative to the root, as `src/machines/tool-call/tool-call.machine.ts`. */
  readonly file: string;
  readonly source: string;
  readonly machine: AnyStateMachine;
};

/** `tool-call.machine.ts` is the home of `tool_call`. */
export function machineId(file: string): string {
  return basename(file, ".machine.ts").replaceAll("-", "_");
}

/** `tool-call.machine.ts` exports `toolCallMachine`. */
function machineExport(file: string): string {
  const camel = basename(file, ".machine.ts").replaceAll(/-(\w)/g, (_, first: string) =>
    first.toUpperCase(),
  );
  return `${camel}Machine`;
}

function isMachine(value: unknown): value is AnyStateMachine {
  return typeof value === "object" && value !== null && "root" in value && "config" in value;
}

async function loadMachine(root: string, file: string): Promise<MachineFile> {
  const path = join(root, file);
  const exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const machine = exported[machineExport(file)];
  if (!isMachine(machine))
    throw new Error(`${file} exports no machine named ${machineExport(file)}`);
  return { file, source: readFileSync(path, "utf8"), machine };
}

/** Imports every `*.machine.ts` below src/machines, in the order of their names. */
export async function loadMachines(root: string): Promise<MachineFile[]> {
  if (!existsSync(join(root, "src/machines"))) return [];
  const files = filesBelow(root, "src/machines").filter((file) => file.endsWith(".machine.ts"));
  return Promise.all(files.map((file) => loadMachine(root, file)));
}
