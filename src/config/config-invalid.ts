import { AgentError } from "../schema/errors.ts";
import { type ConfigFault, formatFault } from "./config-fault.ts";

/** @returns AgentError config.invalid (`details.faults`) */
export function configInvalid(faults: readonly ConfigFault[]): AgentError {
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  return new AgentError(
    "config.invalid",
    [`The configuration has ${count}:`, ...faults.map(formatFault)].join("\n"),
    {
      hint: "mend them, then `statehive config validate` checks again; nothing starts or changes until then",
      details: { faults: faults.map((fault) => ({ ...fault })) },
    },
  );
}
