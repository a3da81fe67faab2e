/** What an address says: it is the actor's place in the supervision tree. */

/** The actor's own name: `r7` of `session/<key>/run/r7`. */
export function idIn(address: string): string {
  return address.slice(address.lastIndexOf("/") + 1);
}

/** The session of a run: `session/<key>` of `session/<key>/run/r7`. */
export function sessionOfRun(address: string): string {
  return address.slice(0, address.lastIndexOf("/run/"));
}
