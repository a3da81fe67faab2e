/** The ids that XState gives to the states of a chart. */

type StateValue = string | { readonly [key: string]: StateValue };

/** Of the states that are active: `{ a: "b" }` in `run` is `run`, `run.a` and `run.a.b`. */
export function activeIds(machine: string, value: unknown): readonly string[] {
  return [machine, ...idsBelow(machine, value as StateValue)];
}

function idsBelow(above: string, value: StateValue): readonly string[] {
  if (typeof value === "string") return [`${above}.${value}`];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${above}.${key}`,
    ...idsBelow(`${above}.${key}`, inner),
  ]);
}

/** Of the leaves in a state path: `a.b`, or `a.x b.y` where several are active. */
export function idsOfPath(machine: string, path: string | null): readonly string[] {
  if (path === null) return [];
  return path.split(" ").map((leaf) => `${machine}.${leaf}`);
}

/** Whether one of the ids is that state, or lies in it. */
export function isIn(state: string, ids: readonly string[]): boolean {
  return ids.some((id) => id === state || id.startsWith(`${state}.`));
}
