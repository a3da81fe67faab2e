import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import { nearest } from "./nearest.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { listAt, textAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

/** What is wrong with one entry of a file, at its place. */

export function faultAt(source: ConfigSource, path: Path, message: string): ConfigFault {
  return faultIn(source.file, message, { place: source.tree.valuePlace(path), path });
}

export function duplicateEntries(source: ConfigSource, list: Path, kind: string): ConfigFault[] {
  const ids = listAt(source, list).map((_, index) => textAt(source, [...list, index, "id"]));
  return ids.flatMap((id, index) => {
    if (id === null || ids.indexOf(id) === index) return [];
    return [faultAt(source, [...list, index, "id"], `another ${kind} has the same id`)];
  });
}

export function unknownAgent(
  source: ConfigSource,
  path: Path,
  agentIds: readonly string[],
): ConfigFault {
  return faultIn(source.file, "no agent has this id", {
    place: source.tree.valuePlace(path),
    path,
    expected: `one of ${agentIds.join(", ")}`,
    nearest: nearest(textAt(source, path) ?? "", agentIds),
  });
}
