import { readdirSync, readFileSync } from "node:fs";
import { killNow } from "./kill-now.ts";
import { workspacePlace } from "./bubblewrap-options.ts";

/** bwrap asks the kernel to die with its parent, but only after it was started: a service that is killed just before leaves a bwrap that
 *  waits for ever and runs nothing. The next sandbox of the same workspace ends it. */
export function endLeftovers(workspace: string): void {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    if (isLeftover(name, workspace)) killNow(Number(name));
  }
}

/** Who takes over a process whose parent has died. */
const adopters = new Set(["systemd", "init", "tini", "dumb-init"]);

function isLeftover(pid: string, workspace: string): boolean {
  const words = textOf(`/proc/${pid}/cmdline`).split("\0");
  if (words[0] !== "bwrap") return false;
  const binds = words.some((word, at) => word === workspace && words[at + 1] === workspacePlace);
  const parent = /^PPid:\s*(\d+)$/m.exec(textOf(`/proc/${pid}/status`))?.[1];
  if (!binds || parent === undefined) return false;
  return parent === "1" || adopters.has(textOf(`/proc/${parent}/comm`).trim());
}

/** "" for a process that has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
