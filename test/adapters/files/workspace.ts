import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { createLinuxFiles } from "../../../src/adapters/files/linux-files.ts";
import type { Files } from "../../../src/ports/files.ts";

/** A workspace with a neighbour that the agent must not reach; both are removed after the test. */
export type Workspace = {
  readonly files: Files;
  readonly inside: (path: string) => string;
  readonly outside: (path: string) => string;
};

const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export const secret = "SECRET of a stranger";

export async function createWorkspace(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Workspace> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "statehive-files-")));
  made.push(base);
  const inside = (path: string) => join(base, "mount", path);
  const outside = (path: string) => join(base, "mount-evil", path);
  mkdirSync(inside("."), { recursive: true });
  put(outside("secret.txt"), secret);
  for (const [path, content] of Object.entries(initial)) put(inside(path), content);
  return { files: await createLinuxFiles({ root: inside(".") }), inside, outside };
}
