import { isDeepStrictEqual } from "node:util";
import type { HiveConfig } from "../schema/config/config.ts";

/** What differs between two configurations, in the words of a report. */

export type Changed = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

export type ConfigChanges = {
  readonly agents: Changed;
  readonly providers: Changed;
  /** Keys of the other files: `runs.max_concurrent`, `routing.bindings`. */
  readonly settings: readonly string[];
};

export function configChanges(before: HiveConfig, after: HiveConfig): ConfigChanges {
  return {
    agents: byId(before.agents, after.agents),
    providers: byId(before.providers, after.providers),
    settings: changedSettings(before, after),
  };
}

/** What was set since the start of the service and only its next start takes up. */
export function waitingForRestart(started: HiveConfig, now: HiveConfig): readonly string[] {
  return changedSettings(started, now).filter(
    (key) =>
      /^(?:embeddings|engine|logs|memory)\./.test(key) &&
      !/^(?:engine\.retention|memory\.recall_tokens)/.test(key),
  );
}

type Named = { readonly id: string };

function byId(before: readonly Named[], after: readonly Named[]): Changed {
  const [old, now] = [before, after].map((list) => new Map(list.map((one) => [one.id, one]))) as [
    Map<string, Named>,
    Map<string, Named>,
  ];
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    changed: [...now.keys()].filter(
      (id) => old.has(id) && !isDeepStrictEqual(old.get(id), now.get(id)),
    ),
    removed: [...old.keys()].filter((id) => !now.has(id)),
  };
}

function changedSettings(before: HiveConfig, after: HiveConfig): string[] {
  const { agents: _a, providers: _p, home: _h, ...old } = before;
  const { agents: _b, providers: _q, home: _i, ...now } = after;
  return differences(old, now, []);
}

/** The paths down to the values that differ; a list is one value. */
function differences(before: unknown, after: unknown, path: readonly string[]): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [path.join(".")];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], [...path, key]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
