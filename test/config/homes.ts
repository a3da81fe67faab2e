import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { ConfigFault } from "../../src/config/config-fault.ts";
import { loadConfig, type LoadedConfig } from "../../src/config/load-config.ts";
import type { HiveConfig } from "../../src/schema/config/config.ts";

/** Small homes for the tests of src/config. */

export type Files = { readonly [path: string]: string };

const smallHome: Files = {
  "config/main.yaml": "{}\n",
  "config/agents.d/main.yaml": "id: main\n",
  "config/providers.d/offline.yaml": "id: offline\ntype: offline\n",
  "prompts/main/system.md": "You help.\n",
};

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "statehive-config-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A home with the small home's files, some replaced or added. */
export function homeWith(files: Files = {}): string {
  const home = temporaryDirectory();
  for (const [path, content] of Object.entries({ ...smallHome, ...files })) {
    mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, path), content, { mode: 0o600 });
  }
  return home;
}

export function faultsOf(home: string, env: Files = {}): readonly ConfigFault[] {
  const result = loadConfig(home, env);
  return result.ok ? [] : result.faults;
}

/** `file:line:column path: message`, the file relative to the home. */
export function linesOf(home: string, env: Files = {}): string[] {
  return faultsOf(home, env).map(
    ({ file, line, column, path, message }) =>
      `${file.replace(`${home}/`, "")}:${line}:${column} ${path}: ${message}`,
  );
}

export function loadedFrom(home: string, env: Files = {}): LoadedConfig {
  const result = loadConfig(home, env);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result;
}

export function configOf(home: string, env: Files = {}): HiveConfig {
  return loadedFrom(home, env).config;
}

/** As `linesOf`, of what has no effect. */
export function warningsOf(home: string): string[] {
  return loadedFrom(home).warnings.map(
    ({ file, line, column, path, message }) =>
      `${file.replace(`${home}/`, "")}:${line}:${column} ${path}: ${message}`,
  );
}
