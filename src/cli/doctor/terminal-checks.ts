import type { CommandContext } from "../command-context.ts";
import { type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

const least = { columns: 60, rows: 15 };

/** Whether conversations can be shown here. */
export function terminalChecks({ context }: Patient): readonly Finding[] {
  const { env, stdout } = context.terminal;
  if (stdout.isTTY !== true) return [ok("terminal", "none: output goes to a file or a program")];
  return [kindFinding(env["TERM"]), localeFinding(env), sizeFinding(stdout)];
}

function kindFinding(term: string | undefined): Finding {
  if (term !== undefined && term !== "" && term !== "dumb") return ok("terminal", term);
  const found = `TERM is ${term || "not set"}: no colours, no moving about`;
  return warn("terminal", found, "export TERM=xterm-256color, if it is one like that");
}

function localeFinding(env: CommandContext["terminal"]["env"]): Finding {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  if (/utf-?8/i.test(locale)) return ok("locale", locale);
  const found = `${locale || "no locale is set"}: letters beyond ASCII may be shown wrongly`;
  return warn("locale", found, "export LANG=C.UTF-8");
}

function sizeFinding({ columns = 0, rows = 0 }: CommandContext["terminal"]["stdout"]): Finding {
  const found = `${columns} x ${rows}`;
  if (columns >= least.columns && rows >= least.rows) return ok("terminal size", found);
  return warn("terminal size", found, `enlarge it to ${least.columns} x ${least.rows}`);
}
