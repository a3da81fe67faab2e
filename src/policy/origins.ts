import type { Trust } from "../schema/contexts/trust.ts";
import { hashOf } from "./canonical-json.ts";
import { visibleText } from "./visible-text.ts";

/** What a run knows, by where it came from: `file:notes.md`, `web:example.com`. */

/** More are told as this one, so that what a run remembers stays small. */
export const manyOthers = "others";

const mostPrivate = 16;
const mostUntrusted = 32;
const mostCharacters = 200;
const hashCharacters = 12;

export type OriginKind =
  | "user"
  | "forwarded"
  | "quoted"
  | "agent"
  | "model"
  | "tool"
  | "file"
  | "web"
  | "session"
  | "run"
  | "memory";

/** One line in which nothing hides; two names that differ never become one. */
export function origin(kind: OriginKind, name: string): string {
  const shown = visibleText(name);
  if (shown.length <= mostCharacters) return `${kind}:${shown}`;
  const hash = hashOf(name).slice(0, hashCharacters);
  return `${kind}:${shown.slice(0, mostCharacters - hashCharacters)}…${hash}`;
}

/** Of what nobody noted where it came from: it may be the person's own, and a stranger's. */
export function unknownFrom(kind: OriginKind, name: string): Trust {
  const unknown = [origin(kind, name)];
  return { private: unknown, untrusted: unknown };
}

/** Of a conversation that is older than its origins. */
export const fromBefore = unknownFrom("session", "earlier");

export type Added = {
  readonly private?: readonly string[];
  readonly untrusted?: readonly string[];
};

export function withOrigins(known: Trust, added: Added): Trust {
  return {
    private: union(mostPrivate, known.private, added.private),
    untrusted: untrustedOf(known.untrusted, added.untrusted),
  };
}

export function untrustedOf(...lists: readonly (readonly string[] | undefined)[]): string[] {
  return union(mostUntrusted, ...lists);
}

function union(most: number, ...lists: readonly (readonly string[] | undefined)[]): string[] {
  const all = [...new Set(lists.flatMap((list) => list ?? []))];
  return all.length <= most
    ? all
    : [...all.filter((each) => each !== manyOthers).slice(0, most - 1), manyOthers];
}

/** Who says what comes in over a session: the fourth part of its key. */
export function userOrigin(sessionAddress: string): string {
  const scope = sessionAddress.split(":")[3] ?? "";
  try {
    return origin("user", decodeURIComponent(scope));
  } catch {
    return origin("user", scope);
  }
}

/** Of what the service itself says in a conversation. */
export const ownOrigin = "statehive";

/** Of a call's result: the one place that its text is from, else the tool. */
export function originOfResult(tool: string, brings: Trust): string {
  const [one, ...others] = brings.untrusted.length > 0 ? brings.untrusted : brings.private;
  return one === undefined || others.length > 0 ? origin("tool", tool) : one;
}

/** What a run or a session remembers of it, and shows on its row. */
export function knowing(trust: Trust): { readonly trust: Trust; readonly tags: string[] } {
  return { trust, tags: trust.untrusted.length === 0 ? [] : ["tainted"] };
}
