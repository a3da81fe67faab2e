import { configInvalid } from "../../config/config-invalid.ts";
import { isHome } from "../../config/home.ts";
import type { LoadedConfig, LoadResult } from "../../config/load-config.ts";
import { AgentError } from "../../schema/errors.ts";
import type { CommandContext } from "../command-context.ts";

/** @throws AgentError home.invalid, config.invalid (`details.faults`) */
export async function checkedConfig(context: CommandContext): Promise<LoadedConfig> {
  const home = homeToRead(context);
  const { loadConfig } = await import("../../config/load-config.ts");
  return validated(loadConfig(home, context.terminal.env));
}

/** @throws AgentError config.invalid (`details.faults`) */
export function validated(result: LoadResult): LoadedConfig {
  if (result.ok) return result;
  throw configInvalid(result.faults);
}

/** @throws AgentError home.invalid */
export function homeToRead({ home }: CommandContext): string {
  if (isHome(home)) return home;
  throw new AgentError("home.invalid", `${home} is no home: it has no config folder.`, {
    hint: "`statehive init` makes one",
  });
}
