import { formatFault } from "../../config/config-fault.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

/** All that the one validator says. */
export function configChecks({ config }: Patient): readonly Finding[] {
  if (config === null) return [];
  const mend = "mend it, then `statehive config validate`";
  if (!config.ok)
    return config.faults.map((fault) => fail("configuration", formatFault(fault), mend));
  const { sources, warnings, config: read } = config;
  const agents = read.agents.map(({ id }) => id).join(", ");
  return [
    ok("configuration", `${sources.length} files, agents: ${agents}`),
    ...warnings.map((warning) =>
      warn(
        "configuration",
        formatFault(warning),
        "take it out, or wait for a version that acts on it",
      ),
    ),
  ];
}
