import type { AnyStateMachine } from "xstate";
import { type MachineFile, machineId } from "../../../scripts/machines/load-machines.ts";
import { eventsOf, statesOf } from "../../../scripts/machines/state-nodes.ts";

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const eventName = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;
const knownTags = new Set(["busy", "approval", "waiting", "terminal"]);

/** Identity, version, and the names of states, events and tags. */
export function nameFaults({ file, machine }: MachineFile): string[] {
  return [...identityFaults(file, machine), ...stateFaults(machine), ...eventFaults(machine)];
}

function identityFaults(file: string, machine: AnyStateMachine): string[] {
  const faults: string[] = [];
  if (machine.id !== machineId(file))
    faults.push(`the id is ${machine.id}, not ${machineId(file)}`);
  if (!/^[1-9]\d*$/.test(machine.version ?? ""))
    faults.push(`the version is ${machine.version ?? "missing"}, not a counted one like "1"`);
  return faults;
}

function stateFaults(machine: AnyStateMachine): string[] {
  return statesOf(machine).flatMap((node) => {
    const faults = node.tags
      .filter((tag) => !knownTags.has(tag))
      .map((tag) => `${node.id} has the unknown tag ${tag}`);
    if (!snakeCase.test(node.key)) faults.push(`${node.id} is not named in snake_case`);
    if (!node.description?.trim()) faults.push(`${node.id} has no description`);
    if (node.type === "final" && !node.tags.includes("terminal"))
      faults.push(`${node.id} is final without the tag terminal`);
    return faults;
  });
}

function eventFaults(machine: AnyStateMachine): string[] {
  return eventsOf(machine)
    .filter((event) => !event.includes("*") && !eventName.test(event))
    .map((event) => `the event ${event} is not named subject.verb`);
}
