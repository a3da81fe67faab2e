import { realpath } from "node:fs/promises";
import { viewBubblewrap } from "../../adapters/sandbox/bubblewrap.ts";
import { detectBubblewrap } from "../../adapters/sandbox/detect-bubblewrap.ts";
import { viewUnconfined } from "../../adapters/sandbox/unconfined.ts";
import type { SandboxView } from "../../ports/sandbox.ts";
import type { AgentConfig, HiveConfig } from "../../schema/config/config.ts";

/** What an agent's commands would meet on this machine, beside a service that may run them. */
export async function viewCommands(
  { workspace }: AgentConfig,
  { shell }: HiveConfig,
): Promise<SandboxView> {
  const bubblewrap = await detectBubblewrap();
  const place = await realpath(workspace).catch(() => workspace);
  if (!bubblewrap.ok && shell.unconfined === "ask") return viewUnconfined(place);
  return viewBubblewrap({ workspace: place, bubblewrap });
}
