import { homeOf } from "../../../memory/partitions.ts";
import { origin, userOrigin, withOrigins } from "../../../policy/origins.ts";
import { visibleText } from "../../../policy/visible-text.ts";
import { noTrust, type Trust } from "../../../schema/contexts/trust.ts";
import { approverOrigins } from "../../approvers.ts";
import type { MemoryHit } from "../../../schema/memory.ts";
import type { Connector } from "../../approvers.ts";
import { keyIn, placeIn } from "../../session-key.ts";

/** What a run comes to know with pieces of memory: they are private, and what others than its own people wrote is foreign text. */

const mostCharacters = 200;

type Reader = {
  readonly session_address: string;
  readonly connectors: readonly Connector[];
};

export function trustOfHits(hits: readonly MemoryHit[], reader: Reader): Trust {
  return hits.reduce(
    (known, hit) =>
      withOrigins(known, {
        private: [
          hit.kind === "task" ? origin("session", "earlier") : origin("memory", hit.partition),
        ],
        untrusted: hit.origins
          .filter((each) => !isOwn(each, hit, reader))
          .map((each) => visibleText(each).slice(0, mostCharacters)),
      }),
    noTrust,
  );
}

/** The agent itself in its own memory, the person of this conversation, and whoever may approve where it was said. A user's name
 *  means something within its connector alone. */
function isOwn(each: string, { partition }: MemoryHit, reader: Reader): boolean {
  const place = placeIn(keyIn(reader.session_address));
  const home = homeOf(partition);
  if (home?.agent_id !== place.agent_id) return false;
  const { agent_id, connector_id } = home;
  if (each === origin("agent", agent_id)) return true;
  if (connector_id === place.connector_id && each === userOrigin(reader.session_address))
    return true;
  return approverOrigins(reader.connectors, connector_id).includes(each);
}
