import type { SchedulesInShort } from "../../schema/shown/shown-schedules.ts";
import { shorten, shown } from "../../text/shown.ts";

/** What is wrong with a schedule, in one line for people: `report failed 3 times in a row: …`. */
export function troubleOf({ id, ...trouble }: SchedulesInShort["in_need"][number]): string {
  return `${shown(id)} ${whatIsWrong(trouble)}`;
}

const longestDetail = 120;

export function whatIsWrong({
  state,
  failures,
  detail,
}: Omit<SchedulesInShort["in_need"][number], "id">): string {
  const why = detail === null ? "" : `: ${shorten(shown(detail), longestDetail)}`;
  if (state === "set_aside") return `was set aside after a fault${why}`;
  return failures === 1 ? `failed last time${why}` : `failed ${failures} times in a row${why}`;
}
