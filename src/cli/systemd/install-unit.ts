import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AgentError, toErrorData } from "../../schema/errors.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { reachesSystemd, systemctl } from "./systemctl.ts";
import { installedUnit, unitPlace, wantedUnit } from "./unit-place.ts";

export type UnitChange = {
  readonly name: string;
  readonly file: string;
  readonly changed: boolean;
  /** Whether systemd was told; else `next` says what to type. */
  readonly told_systemd: boolean;
  readonly next: readonly string[];
};

/** Repeating it changes nothing. @throws AgentError unit.foreign, home.invalid */
export async function installUnit(context: CommandContext): Promise<UnitChange> {
  const { name, file } = unitPlace(context);
  const wanted = wantedUnit(context);
  const present = installedUnit(file);
  if (present.kind === "foreign") throw foreignUnit(file);
  const changed = present.kind === "absent" || present.text !== wanted;
  if (changed) writeUnit(file, wanted);
  return tellSystemd(context, { name, file, changed }, enabling(name, await runsAlready(context)));
}

/** Repeating it changes nothing. @throws AgentError unit.foreign */
export async function uninstallUnit(context: CommandContext): Promise<UnitChange> {
  const { name, file } = unitPlace(context);
  const present = installedUnit(file);
  if (present.kind === "foreign") throw foreignUnit(file);
  if (present.kind === "absent")
    return { name, file, changed: false, told_systemd: false, next: [] };
  const { env } = context.terminal;
  const isThere = await reachesSystemd(env);
  if (isThere) await demand(env, ["disable", "--now", name]);
  rmSync(file);
  if (isThere) await demand(env, ["daemon-reload"]);
  const next = isThere
    ? []
    : [`systemctl --user disable --now ${name}`, "systemctl --user daemon-reload"];
  return { name, file, changed: true, told_systemd: isThere, next };
}

type Enabling = { readonly commands: readonly string[][]; readonly later: readonly string[] };

/** A service that was started otherwise holds the home: the unit's own would only fail beside it. */
function enabling(name: string, runs: boolean): Enabling {
  if (!runs) return { commands: [["daemon-reload"], ["enable", "--now", name]], later: [] };
  return {
    commands: [["daemon-reload"], ["enable", name]],
    later: ["statehive stop", `systemctl --user start ${name}`],
  };
}

async function tellSystemd(
  { terminal }: CommandContext,
  change: Pick<UnitChange, "name" | "file" | "changed">,
  { commands, later }: Enabling,
): Promise<UnitChange> {
  const { env } = terminal;
  if (!(await reachesSystemd(env))) {
    const typed = commands.map((words) => `systemctl --user ${words.join(" ")}`);
    return { ...change, told_systemd: false, next: [...typed, ...later] };
  }
  for (const words of commands) await demand(env, words);
  return { ...change, told_systemd: true, next: later };
}

async function demand(env: CommandContext["terminal"]["env"], words: readonly string[]) {
  const { ok, said } = await systemctl(env, ...words);
  if (ok) return;
  const command = `systemctl --user ${words.join(" ")}`;
  throw new AgentError("service.start_failed", `\`${command}\` failed: ${said}`, {
    hint: "`systemctl --user status` and `journalctl --user -e` say more",
  });
}

/** Whether a service of this home answers that systemd has not started. */
async function runsAlready(context: CommandContext): Promise<boolean> {
  const { name } = unitPlace(context);
  if ((await systemctl(context.terminal.env, "is-active", name)).ok) return false;
  try {
    await asking(context, ({ call }) => call("status", {}));
    return true;
  } catch (error) {
    return toErrorData(error).code === "service.not_answering";
  }
}

/** Whole or not at all. */
function writeUnit(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, text, { mode: 0o644 });
    renameSync(fresh, file);
  } catch (cause) {
    throw new AgentError("home.invalid", `${file} cannot be written: ${String(cause)}`, {
      cause,
      hint: "`statehive service print` prints the unit, to be put where systemd looks for it",
    });
  }
}

function foreignUnit(file: string): AgentError {
  return new AgentError("unit.foreign", `${file} was not written by statehive and is left alone.`, {
    hint: "move it away, or compare it with `statehive service print`",
  });
}
