import { userInfo } from "node:os";
import { defineCommand, type Group } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../../text/shown.ts";
import { installUnit, type UnitChange, uninstallUnit } from "../systemd/install-unit.ts";
import { unitPlace, wantedUnit } from "../systemd/unit-place.ts";
import { environmentFile } from "../systemd/unit-text.ts";

const print = defineCommand({
  usage: "print",
  summary: "the systemd user unit for this home, as install would write it",
  example: "service print",
  offline: "same",
  async work(context) {
    const text = wantedUnit(context);
    return { data: { ...unitPlace(context), text }, text: text.trimEnd() };
  },
});

const install = defineCommand({
  usage: "install",
  summary: "write the systemd user unit, enable it and start it; may be repeated",
  example: "service install",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.configInvalid],
  async work(context) {
    const change = await installUnit(context);
    const { name, file, changed } = change;
    const what = changed ? "was written" : "was as it should be";
    const lines = [
      `${shown(file)} ${what}.`,
      ...(change.told_systemd ? [`systemd has ${shown(name)} enabled.`] : []),
      ...nextLines(change),
      `Keys go into ${shown(environmentFile(context.home))} (NAME=value lines, chmod 600).`,
      `To keep it running after you log out: loginctl enable-linger ${shown(userName(context))}`,
    ];
    return { data: change, text: lines.join("\n") };
  },
});

const uninstall = defineCommand({
  usage: "uninstall",
  summary: "stop and disable the systemd user unit and remove it; leaves the home alone",
  example: "service uninstall",
  offline: "same",
  exits: [exitCodes.failed, exitCodes.configInvalid],
  async work(context) {
    const change = await uninstallUnit(context);
    const { file, changed } = change;
    const first = changed ? `${shown(file)} was removed.` : `There was no ${shown(file)}.`;
    return { data: change, text: [first, ...nextLines(change)].join("\n") };
  },
});

export const service: Group = {
  usage: "service",
  summary: "the service under systemd: print, install, uninstall",
  example: "service install",
  children: [print, install, uninstall],
};

function nextLines({ told_systemd, next }: UnitChange): string[] {
  if (next.length === 0) return [];
  const why = told_systemd
    ? "A service that systemd did not start holds this home. Type:"
    : "systemd cannot be reached from here. Type, in a session of this user:";
  return [why, ...next.map((command) => `  ${shown(command)}`)];
}

function userName({ terminal }: CommandContext): string {
  return terminal.env["USER"] || userInfo().username;
}
