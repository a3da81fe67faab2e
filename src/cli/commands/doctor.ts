import { Option } from "commander";
import { isHome } from "../../config/home.ts";
import { defineCommand } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import type { AreaFinding } from "../doctor/examine.ts";
import type { Patient } from "../doctor/patient.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../../text/shown.ts";

export const doctor = defineCommand<[], { online?: boolean; fix?: boolean }>({
  usage: "doctor",
  summary: "check everything that can be wrong, each with its fix; changes nothing without --fix",
  example: "doctor --online",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.configInvalid],
  options: [
    new Option(
      "--online",
      "ask each provider that has a key for one token, and the embedder for one vector",
    ),
    new Option("--fix", "close files and directories of the home to other users"),
  ],
  async work(context, _args, { online = false, fix = false }) {
    const { examine } = await import("../doctor/examine.ts");
    const patient = await patientOf(context, online);
    const before = await examine(patient);
    const mended = fix ? before.filter(({ mend }) => mend !== undefined) : [];
    for (const { mend } of mended) mend?.();
    const found = mended.length === 0 ? before : await examine(await patientOf(context, online));
    const findings = found.map(({ area, check, state, found: what, fix: how }) => ({
      area,
      check,
      state,
      found: context.forThisHome(what),
      fix: how === null ? null : context.forThisHome(how),
    }));
    const healthy = found.every(({ state }) => state !== "fail");
    const mendedChecks = mended.map(({ check }) => check);
    return {
      data: { healthy, findings, mended: mendedChecks },
      text: [...reportLines(found, context), ...mendedChecks.map(mendedLine)].join("\n"),
      exitCode: exitCodeFor(found),
    };
  },
});

async function patientOf(context: CommandContext, online: boolean): Promise<Patient> {
  const { loadConfig } = await import("../../config/load-config.ts");
  const { home, terminal } = context;
  const config = isHome(home) ? loadConfig(home, terminal.env) : null;
  return { context, config, online, uid: process.getuid?.() ?? null };
}

function exitCodeFor(found: readonly AreaFinding[]): number {
  const failed = found.filter(({ state }) => state === "fail");
  if (failed.length === 0) return exitCodes.ok;
  const isConfigAlone = failed.every(({ area }) => area === "configuration");
  return isConfigAlone ? exitCodes.configInvalid : exitCodes.failed;
}

function reportLines(found: readonly AreaFinding[], { style }: CommandContext): string[] {
  const paint = { ok: style.green, warn: style.yellow, fail: style.red };
  const areas = [...new Set(found.map(({ area }) => area))];
  const lines = areas.flatMap((area) => [
    style.bold(area),
    ...found
      .filter((finding) => finding.area === area)
      .flatMap(({ check, state, found: what, fix }) => [
        `  ${paint[state](state.padEnd(4))}  ${shown(check)}: ${shown(what)}`,
        ...(fix === null ? [] : [`        ${shown(fix)}`]),
      ]),
  ]);
  return [...lines, "", summary(found)];
}

function summary(found: readonly AreaFinding[]): string {
  const count = (state: string) => found.filter((finding) => finding.state === state).length;
  const [fails, warns] = [count("fail"), count("warn")];
  if (fails + warns === 0) return "All is well.";
  return `${fails} failed, ${warns} to look at, ${count("ok")} well.`;
}

function mendedLine(check: string): string {
  return `mended: ${shown(check)}`;
}
