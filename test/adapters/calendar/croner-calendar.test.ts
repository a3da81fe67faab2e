import { expect, it } from "vitest";
import { cronerCalendar } from "../../../src/adapters/calendar/croner-calendar.ts";

/** The next times after a moment, as they are told in UTC. */
function times(cron: string, zone: string, from: string, many: number): (string | null)[] {
  const found: (string | null)[] = [];
  for (let at: number | null = Date.parse(from); found.length < many && at !== null;) {
    at = cronerCalendar.nextDue(cron, zone, at);
    found.push(at === null ? null : `${new Date(at).toISOString().slice(0, 16)}Z`);
  }
  return found;
}

const berlin = "Europe/Berlin";

it.each([
  ["each day, in its zone", "30 3 * * *", berlin, "2026-11-22T12:00Z", ["2026-11-23T02:30Z"]],
  ["a time never follows itself", "30 3 * * *", "UTC", "2026-11-22T03:30Z", ["2026-11-23T03:30Z"]],
  ["Sunday is 0 and 7", "0 0 * * 7", "UTC", "2026-11-22T12:00Z", ["2026-11-29T00:00Z"]],
  [
    "a day of the month or a weekday",
    "0 0 13 * 5",
    "UTC",
    "2026-11-12T12:00Z",
    ["2026-11-13T00:00Z", "2026-11-20T00:00Z"],
  ],
  ["29 February", "0 0 29 2 *", "UTC", "2026-11-22T12:00Z", ["2028-02-29T00:00Z"]],
  ["a day that no year has", "0 0 30 2 *", "UTC", "2026-11-22T12:00Z", [null]],
  ["what cannot be read", "rubbish", "UTC", "2026-11-22T12:00Z", [null]],
  ["a zone that is not there", "0 0 * * *", "Mars/Base", "2026-11-22T12:00Z", [null]],
  [
    "an hour that is left out: at its end, once",
    "0,30 2 * * *",
    berlin,
    "2026-03-28T12:00Z",
    ["2026-03-29T01:00Z", "2026-03-30T00:00Z"],
  ],
  [
    "hours that come twice: in the first of them",
    "30 2 * * *",
    berlin,
    "2026-10-24T12:00Z",
    ["2026-10-25T00:30Z", "2026-10-26T01:30Z"],
  ],
  [
    "every half hour, whatever the clocks say",
    "*/30 * * * *",
    berlin,
    "2026-10-25T00:10Z",
    ["2026-10-25T00:30Z", "2026-10-25T01:00Z", "2026-10-25T01:30Z", "2026-10-25T02:00Z"],
  ],
])("knows when it is due: %s", (_name, cron, zone, from, expected) => {
  expect(times(cron, zone, from, expected.length)).toEqual(expected);
});
