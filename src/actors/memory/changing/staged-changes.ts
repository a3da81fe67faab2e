/** Changes that wait in a note beside the versions, by the key of the actor that makes them. */

const prefix = "staged-";

export function stagedName(key: string): string {
  return `${prefix}${key}`;
}

export function addressOfChange(key: string): string {
  return `memory/change/${key}`;
}

/** Undefined: it is a note of something else. */
export function addressOfStaged(name: string): string | undefined {
  return name.startsWith(prefix) ? addressOfChange(name.slice(prefix.length)) : undefined;
}
