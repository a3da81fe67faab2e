import type { MachineFile } from "../../scripts/machines/load-machines.ts";
import { alwaysCycleFaults } from "./machine-rules/always-cycles.ts";
import { eventFaults } from "./machine-rules/events.ts";
import { nameFaults } from "./machine-rules/names.ts";
import { referenceFaults } from "./machine-rules/references.ts";
import { sourceTextFaults } from "./machine-rules/source-text.ts";

/** Everything in which one machine breaks docs/decisions/0002-machine-rules.md, a line each. */
export function machineFaults(machineFile: MachineFile): string[] {
  const { machine, source } = machineFile;
  return [
    ...nameFaults(machineFile),
    ...referenceFaults(machine),
    ...eventFaults(machine),
    ...alwaysCycleFaults(machine),
    ...sourceTextFaults(source),
  ];
}
