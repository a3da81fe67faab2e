/** Where a session is held, as far as its address alone tells. */

/** At this machine's own surfaces, not over a channel. */
export function isLocalSession(sessionAddress: string): boolean {
  return sessionAddress.startsWith("session/local:");
}
