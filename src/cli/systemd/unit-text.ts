import { AgentError } from "../../schema/errors.ts";

/** The systemd user unit of a home; pure. Why it holds what it holds: docs/operations.md */

export type UnitOptions = {
  /** All absolute. */
  readonly node: string;
  readonly main: string;
  readonly home: string;
};

/** The first line of every unit that statehive has written. */
export const unitMark =
  "# Written by statehive service install, which replaces it; statehive service uninstall removes it.";

/** Seconds between SIGTERM and SIGKILL; what runs may take its drain, and the database its last write. */
const stopSeconds = 90;

/** Where variables for the service go, such as keys: `NAME=value` lines, mode 0600. */
export function environmentFile(home: string): string {
  return `${home}/service.env`;
}

/** @throws AgentError home.invalid for a path that no unit can hold */
export function unitText({ node, main, home }: UnitOptions): string {
  for (const path of [node, main, home]) refuseLineBreaks(path);
  const words = [main, "serve", "--home", home].map((word) => quoted(word.replaceAll("$", "$$$$")));
  const command = [quoted(node), ...words].join(" ");
  return `${unitMark}
[Unit]
Description=statehive agent service (${specifierFree(home)})
StartLimitIntervalSec=120
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${command}
# Keys go there, never here: NAME=value lines; chmod 600.
EnvironmentFile=-${specifierFree(environmentFile(home))}
Restart=on-failure
RestartSec=2
# A wrong command line or an invalid configuration does not heal by trying again.
RestartPreventExitStatus=2 78
# SIGTERM to the service alone: it ends its commands itself, after it has let them finish.
KillMode=mixed
TimeoutStopSec=${stopSeconds}
# A command that runs out of memory ends alone, not with the service.
OOMPolicy=continue
UMask=0077
LimitCORE=0
LimitNOFILE=65536

[Install]
WantedBy=default.target
`;
}

function refuseLineBreaks(path: string): void {
  if (!/[\p{Cc}]/u.test(path)) return;
  throw new AgentError(
    "home.invalid",
    `${JSON.stringify(path)} holds a control character, which a systemd unit cannot name.`,
    { hint: "choose another directory with --home" },
  );
}

/** One word of ExecStart=: systemd reads quotes and backslashes, then specifiers (%); in all but the first also variables ($). */
function quoted(word: string): string {
  return `"${specifierFree(word.replaceAll(/[\\"]/g, String.raw`\$&`))}"`;
}

function specifierFree(text: string): string {
  return text.replaceAll("%", "%%");
}
