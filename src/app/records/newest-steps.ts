import { listActors } from "../../engine/views/actor-view.ts";
import { type JournalRow, journalTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { ActorStep } from "../../schema/shown/actor-view.ts";
import { iso } from "./shown.ts";

/** Few enough to look up the journal of each. */
const fewActors = 50;
const pageRows = 500;
/** Lines of the whole journal that are looked through for those of many actors. */
const mostLookedAt = 10_000;

/** The newest lines of the journal below a prefix. @returns oldest first */
export async function newestSteps(
  read: CommittedReader,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<readonly ActorStep[]> {
  if (limit === 0) return [];
  const actors =
    prefix === "" ? undefined : await listActors(read, { prefix, limit: fewActors + 1 });
  const found =
    actors === undefined || actors.length > fewActors
      ? await lookThrough(read, { prefix, limit })
      : await ofEach(read, { addresses: actors.map(({ address }) => address), limit });
  return found.slice(0, limit).toReversed().map(showStep);
}

async function ofEach(
  read: CommittedReader,
  { addresses, limit }: { readonly addresses: readonly string[]; readonly limit: number },
): Promise<JournalRow[]> {
  const found = await Promise.all(
    addresses.map((address) => {
      const query = { index: "by_address", equals: [address], descending: true, limit };
      return read.select(journalTable, query);
    }),
  );
  return found.flat().toSorted((a, b) => b.seq - a.seq);
}

async function lookThrough(
  read: CommittedReader,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<JournalRow[]> {
  const found: JournalRow[] = [];
  let before: number | undefined;
  for (let seen = 0; seen < mostLookedAt && found.length < limit; seen += pageRows) {
    const page = await read.select(journalTable, {
      index: "key",
      descending: true,
      limit: pageRows,
      ...(before === undefined ? {} : { before }),
    });
    found.push(...page.filter(({ address }) => address.startsWith(prefix)));
    before = page.at(-1)?.seq;
    if (page.length < pageRows) break;
  }
  return found;
}

export function showStep(step: JournalRow): ActorStep {
  const { seq, at, address, event_type, outcome, reason, state_before, state_after, trace } = step;
  return {
    seq,
    at: iso(at),
    address,
    event: event_type,
    outcome,
    reason,
    state_before,
    state_after,
    trace,
  };
}
