/** What one client may ask of the service at a time. docs/socket.md tells them. */

/** Of one line that a client sends. */
export const maxLineBytes = 4 * 1024 * 1024;

/** Requests of one client that are worked on at a time. The others wait unread: whoever sends many holds up nobody else. */
export const mostAtOnce = 8;

/** A client that does not read what it follows is let go, not waited for. */
export const mostUnreadBytes = 16 * 1024 * 1024;

/** JSON-RPC's numbers; -32000 for an error of ours. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  ourError: -32000,
} as const;
