import type { z } from "zod";
import type { ConfigFault } from "./config-fault.ts";
import { notYetWarnings } from "./not-yet.ts";
import type { FileRead } from "./settings.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { checkShape } from "./shape-faults.ts";

/** What one reading of a configuration has found so far. */
export class Findings {
  readonly faults: ConfigFault[] = [];
  readonly warnings: ConfigFault[] = [];
  readonly reads: FileRead[] = [];

  /** Null where there is no file or it has faults, which are kept. */
  read<T>(source: ConfigSource | null, shape: z.ZodType<T>): T | null {
    if (source === null) return null;
    const result = checkShape(source, shape);
    if (!result.ok) {
      this.faults.push(...result.faults);
      return null;
    }
    this.reads.push({ source, value: result.value });
    this.warnings.push(...notYetWarnings(source, shape, result.value));
    return result.value;
  }

  /** By place, each once: two agents may find the same directory at fault. */
  inOrder(): ConfigFault[] {
    const distinct = new Map(this.faults.map((fault) => [JSON.stringify(fault), fault]));
    return [...distinct.values()].toSorted(
      (left, right) =>
        compareText(left.file, right.file) || left.line - right.line || left.column - right.column,
    );
  }
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
