import { placeOfTasks } from "../../memory/partitions.ts";
import { origin, userOrigin, withOrigins } from "../../policy/origins.ts";
import { visibleText } from "../../policy/visible-text.ts";
import { noTrust, type Trust } from "../../schema/contexts.ts";
import type { MemoryHit } from "../../schema/memory.ts";
import type { Connector } from "../approvers.ts";
import { keyIn, placeIn } from "../session-key.ts";

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
  const { agent, connector } = homeOf(partition);
  if (agent !== place.agent_id) return false;
  if (each === origin("agent", agent)) return true;
  if (connector === place.connector_id && each === userOrigin(reader.session_address)) return true;
  const approvers = reader.connectors.find(({ id }) => id === connector)?.approvers ?? [];
  return approvers.some((user) => each === origin("user", user));
}

/** Whose memory a partition is, and over which connector it came to be. */
function homeOf(partition: string): { readonly agent: string; readonly connector: string } {
  const tasks = placeOfTasks(partition);
  if (tasks !== undefined) return { agent: tasks.agent_id, connector: tasks.connector_id };
  const [agent = "", connector = ""] = partition.split("/");
  return { agent, connector };
}
