import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { AgentError } from "../../schema/errors.ts";

export type Resolve = (
  name: string,
  answer: (error: Error | null, addresses: readonly dns.LookupAddress[]) => void,
) => void;

export type GuardOptions = {
  readonly resolve: Resolve;
  readonly isAllowedAddress: (address: string) => boolean;
  readonly connectTimeoutMs: number;
  readonly silenceTimeoutMs: number;
};

export const systemResolve: Resolve = (name, answer) => {
  dns.lookup(name, { all: true, verbatim: true }, answer);
};

/** Connections are made to addresses that were judged, not to names that somebody could make lead elsewhere meanwhile.
 *  Proxies of the environment are not used. */
export function createGuardedAgent(options: GuardOptions): Agent {
  return new Agent({
    connections: 4,
    headersTimeout: options.silenceTimeoutMs,
    bodyTimeout: options.silenceTimeoutMs,
    maxHeaderSize: 16 * 1024,
    connect: { timeout: options.connectTimeoutMs, lookup: guardedLookup(options) },
  });
}

/** A name one of whose addresses is not public is refused whole: which one is taken is nobody's choice. */
function guardedLookup({ resolve, isAllowedAddress }: GuardOptions): LookupFunction {
  return (name, { all }, answer) => {
    resolve(name, (error, addresses) => {
      const [first] = addresses ?? [];
      const inside = (addresses ?? []).find(({ address }) => !isAllowedAddress(address));
      if (error !== null) answer(error, "", 0);
      else if (first === undefined) answer(new Error(`${name} has no address`), "", 0);
      else if (inside !== undefined) answer(insideError(name, inside.address), "", 0);
      else if (all === true) answer(null, [...addresses]);
      else answer(null, first.address, first.family);
    });
  };
}

function insideError(name: string, address: string): AgentError {
  return new AgentError(
    "web.blocked",
    `${name} leads to ${address}, which is not a public address.`,
  );
}
