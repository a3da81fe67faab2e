/** The one place that reads process.env. Everything else is given an `Environment`. */
export type Environment = { readonly [name: string]: string | undefined };

export function readEnvironment(): Environment {
  return { ...process.env };
}
