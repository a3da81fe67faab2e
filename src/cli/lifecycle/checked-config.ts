import type { ConfigFault } from "../../config/config-fault.ts";
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
export async function validated(result: LoadResult): Promise<LoadedConfig> {
  if (result.ok) return result;
  throw await configInvalid(result.faults);
}

/** @throws AgentError home.invalid */
export function homeToRead({ home }: CommandContext): string {
  if (isHome(home)) return home;
  throw new AgentError("home.invalid", `${home} is no home: it has no config folder.`, {
    hint: "`statehive init` makes one",
  });
}

export async function configInvalid(faults: readonly ConfigFault[]): Promise<AgentError> {
  const { formatFault } = await import("../../config/config-fault.ts");
  const lines = faults.map(formatFault);
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  return new AgentError(
    "config.invalid",
    [`The configuration has ${count}:`, ...lines].join("\n"),
    {
      hint: "mend them, then `statehive config validate` checks again; nothing starts or changes until then",
      details: { faults: faults.map((fault) => ({ ...fault })) },
    },
  );
}
