import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../config/home.ts";
import type { CommandContext } from "../command-context.ts";
import { unitMark, unitText } from "./unit-text.ts";

/** Where the unit of a home is, and what it should say. */
export type UnitPlace = {
  /** `statehive.service`; another home than the default one has its own. */
  readonly name: string;
  readonly file: string;
  /** Systemd's own note that the unit starts with the user's session. */
  readonly enabled: string;
};

export function unitPlace({ home, terminal }: CommandContext): UnitPlace {
  const { env, homedir } = terminal;
  const isDefault = home === join(homedir, ".statehive");
  const hash = createHash("sha256").update(home).digest("hex").slice(0, 8);
  const name = isDefault ? "statehive.service" : `statehive-${hash}.service`;
  const folder = join(env["XDG_CONFIG_HOME"] || join(homedir, ".config"), "systemd", "user");
  return { name, file: join(folder, name), enabled: join(folder, "default.target.wants", name) };
}

/** With this very node and the built program, also when run from its sources. */
export function wantedUnit({ home }: CommandContext): string {
  const main = join(packageRoot(), "dist", "cli", "main.js");
  return unitText({ node: process.execPath, main, home });
}

export type InstalledUnit =
  | { readonly kind: "absent" }
  | { readonly kind: "ours" | "foreign"; readonly text: string };

export function installedUnit(file: string): InstalledUnit {
  if (!existsSync(file)) return { kind: "absent" };
  const text = readFileSync(file, "utf8");
  return { kind: text.startsWith(`${unitMark}\n`) ? "ours" : "foreign", text };
}
