/** The ids of attack cases that the names of a test and of the groups around it bear. */
export function casesIn(names: readonly string[]): string[] {
  return names.flatMap(
    (name) => /\b((?:[A-Z]\d\d, )*[A-Z]\d\d):/.exec(name)?.[1]?.split(", ") ?? [],
  );
}
