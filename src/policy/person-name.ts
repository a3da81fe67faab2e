/** A person, or a group, as rows and the audit name them wherever the channel does not go without saying: `tg_main:1001`. */
export function personName(connectorId: string, user: string): string {
  return `${connectorId}:${user}`;
}

/** @returns undefined: it is somebody of another channel */
export function userNamed(name: string, connectorId: string): string | undefined {
  const prefix = personName(connectorId, "");
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
