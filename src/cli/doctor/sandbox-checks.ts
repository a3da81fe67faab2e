import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

/** Whether commands can be run, where an agent may ask for it. */
export async function sandboxChecks({ config }: Patient): Promise<readonly Finding[]> {
  if (config === null || !config.ok) return [];
  const agents = config.config.agents.filter(({ tools }) => tools.allow.includes("shell_exec"));
  if (agents.length === 0) return [ok("sandbox", "no agent may run commands")];
  const { examineSandbox } = await import("../../app/tools/examine-sandbox.ts");
  const { bubblewrap, prlimit } = await examineSandbox();
  const limits = prlimit
    ? ok("prlimit", "is there")
    : fail(
        "prlimit",
        "is not installed, so that no command can be limited",
        "apt install util-linux",
      );
  if (bubblewrap.ok) return [ok("bubblewrap", "makes a sandbox"), limits];
  const fix = `install it (apt install bubblewrap) or allow user namespaces; until then ${agents.map(({ id }) => id).join(", ")} cannot run commands`;
  return [warn("bubblewrap", bubblewrap.reason, fix), limits];
}
