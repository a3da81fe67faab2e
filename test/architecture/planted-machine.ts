import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import type { AnyStateMachine } from "xstate";
import type { MachineFile } from "../../scripts/machines/load-machines.ts";
import { projectRoot } from "./planted-tree.ts";

const fixture = "test/architecture/fixtures/tea-order.machine.ts";
const fixtureSource = readFileSync(join(projectRoot, fixture), "utf8");

export type Change = readonly [find: string, replacement: string];

/** The fixture machine with some of its text replaced; each text must occur in it. */
export async function teaOrderWith(...changes: readonly Change[]): Promise<MachineFile> {
  const source = changes.reduce((text, [find, replacement]) => {
    if (!text.includes(find)) throw new Error(`the fixture has no ${find}`);
    return text.replace(find, () => replacement);
  }, fixtureSource);
  return { file: fixture, source, machine: await importMachine(source) };
}

async function importMachine(source: string): Promise<AnyStateMachine> {
  const folder = mkdtempSync(join(tmpdir(), "statehive-machine-"));
  try {
    symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
    const file = join(folder, "planted.mjs");
    writeFileSync(
      file,
      ts.transpile(source, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }),
    );
    const exported = (await import(pathToFileURL(file).href)) as {
      teaOrderMachine: AnyStateMachine;
    };
    return exported.teaOrderMachine;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
