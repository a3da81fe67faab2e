import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { installedUnit, unitPlace, wantedUnit } from "../systemd/unit-place.ts";
import { type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

const again = "`statehive service install` writes it anew";

/** The unit of this home, where one was installed. */
export function systemdChecks({ context }: Patient): readonly Finding[] {
  const { name, file, enabled } = unitPlace(context);
  const unit = installedUnit(file);
  if (unit.kind === "absent")
    return [ok("systemd", "no unit; `statehive service install` lets it start with the machine")];
  if (unit.kind === "foreign")
    return [warn("systemd", `${file} was not written by statehive`, `move it away; then ${again}`)];
  const found = unit.text === wantedUnit(context);
  return [
    found
      ? ok("systemd", file)
      : warn(
          "systemd",
          `${file} is not what this version would write: Node or statehive has moved`,
          again,
        ),
    existsSync(enabled)
      ? ok("systemd start", `${name} is enabled`)
      : warn("systemd start", `${name} is not enabled`, `systemctl --user enable --now ${name}`),
    lingerFinding(context.terminal.env["USER"] || userInfo().username),
  ];
}

function lingerFinding(user: string): Finding {
  if (existsSync(`/var/lib/systemd/linger/${user}`)) return ok("systemd linger", "is on");
  return warn(
    "systemd linger",
    "is off: the service ends when you log out",
    `loginctl enable-linger ${user}`,
  );
}
