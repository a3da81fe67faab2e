import fc from "fast-check";
import { expect, it } from "vitest";
import { judgeUpdates } from "../../src/gateway/judge-updates.ts";
import type { Admitted, GatewaySettings, Judged } from "../../src/gateway/judged.ts";
import type { RowReader } from "../../src/ports/store.ts";
import type { InboundUpdate } from "../../src/schema/inbound.ts";
import { rateBucketTable } from "../../src/schema/rows/channel-rows.ts";
import {
  command,
  type Door,
  from,
  inGroup,
  message,
  openDoor,
  tap,
  usualSettings,
} from "./door.ts";

const atOnce = 100;

/** Ten thousand updates in ten seconds, a hundred at a time, as they are received. */
function flood(settings: GatewaySettings, userOf: (n: number) => string) {
  const door = openDoor(settings);
  const judged: Judged[] = [];
  for (let n = 0; n < 10_000; n += atOnce) {
    const batch = Array.from({ length: atOnce }, (_, k) => from(userOf(n + k), message("hi")));
    judged.push(door.judge(...batch));
    door.at += atOnce;
  }
  const all = <K extends "admitted" | "words" | "refusals">(key: K) =>
    judged.flatMap((one) => one[key] as Judged[K][number][]);
  return { door, admitted: all("admitted"), words: all("words"), refusals: all("refusals") };
}

const counted = (refusals: Judged["refusals"]) =>
  refusals.reduce((sum, { count }) => sum + count, 0);

it("T04: of ten thousand updates of one user takes what was saved up and what ten seconds bring, and serves others", () => {
  const { door, admitted, words, refusals } = flood(usualSettings, () => "1001");
  expect(admitted).toHaveLength(23);
  expect(words).toHaveLength(1);
  const own = door.store.get(rateBucketTable, "tg_main/1001");
  expect(counted(refusals) + (own?.refused ?? 0)).toBe(10_000 - 23);
  expect(door.store.rowCount("rate_buckets")).toBe(2);
  expect(door.store.rowCount("connector_updates")).toBe(23 + 2 * 20);
  expect(door.judge(from("1002", message("hi"))).admitted).toHaveLength(1);
  expect(door.judge(from("1001", command("stop"))).admitted).toHaveLength(1);
});

it("T04: of ten thousand updates of a thousand users takes as many as there is room for, from each in turn", () => {
  const users = Array.from({ length: 1_000 }, (_, n) => `${n + 1}`);
  const settings = {
    ...usualSettings,
    doorway: { ...usualSettings.doorway, allow_users: users },
  };
  const { door, admitted, words, refusals } = flood(settings, (n) => users[n % 1_000] ?? "");
  expect(admitted).toHaveLength(200 + 99);
  expect(new Set(admitted.map(({ place }) => place.user_scope)).size).toBeGreaterThan(200);
  // Each hears once that it was too much.
  expect(words.length).toBeLessThanOrEqual(1_000);
  const waiting = users.map((user) => door.store.get(rateBucketTable, `tg_main/${user}`)?.refused);
  const untold = waiting.reduce((sum: number, refused) => sum + (refused ?? 0), 0);
  expect(counted(refusals) + untold).toBe(10_000 - 299);
  expect(door.store.rowCount("rate_buckets")).toBe(1_001);
});

it("T02, T04: ten thousand strangers leave no more than one person who is let in could", () => {
  const { door, admitted, words, refusals } = flood(usualSettings, (n) => `9${n}`);
  expect(admitted).toEqual([]);
  expect(words).toHaveLength(3);
  expect(refusals.length).toBeLessThanOrEqual(23 + 1);
  expect(door.store.rowCount("connector_updates")).toBe(23);
  expect(door.store.rowCount("rate_buckets")).toBe(23 + 1);
  expect(door.store.rowCount("pairings")).toBe(3);
  const crowd = door.store.get(rateBucketTable, "tg_main/?");
  expect(counted(refusals) + (crowd?.refused ?? 0)).toBe(10_000);
  expect(door.judge(from("1001", message("hi"))).admitted).toHaveLength(1);
});

it("T04: one stranger who floods is noted once, and keeps no other stranger from asking", () => {
  const { door, refusals } = flood(usualSettings, () => "9");
  expect(refusals).toHaveLength(1);
  expect(door.store.rowCount("connector_updates")).toBe(1);
  expect(door.judge(from("8", message("hi"))).pairings).toHaveLength(1);
});

it("reads a few rows for each update, however many there were before", () => {
  const { door } = flood(usualSettings, (n) => `${1_000 + (n % 4)}`);
  let reads = 0;
  const counting: RowReader = {
    get: (...args) => {
      reads += 1;
      return door.store.get(...args);
    },
    select: (...args) => {
      reads += 1;
      return door.store.select(...args);
    },
  };
  const batch = Array.from({ length: 1_000 }, (_, n) => from(`${1_000 + (n % 4)}`, message("hi")));
  judgeUpdates(counting, usualSettings, { updates: batch, at: door.at + 60_000 });
  expect(reads).toBeLessThan(4 * batch.length);
});

const users = fc.constantFrom("1001", "1002", "2001", "6", "7", "?", "1001/urgent", "*");
const whats = fc.constantFrom(
  message("hi"),
  message("hi", { is_addressed: true }),
  command("stop"),
  command("new"),
  tap,
  { kind: "stop" } as const,
  { kind: "other", name: "reaction" } as const,
  { ...message("hi"), kind: "edit" } as const,
);
/** The same thing again and again, as updates of their own and as the same one twice. */
const some = fc
  .record({
    user: users,
    what: whats,
    chat: fc.constantFrom(null, "-100", "-999"),
    isBot: fc.nat({ max: 9 }).map((n) => n === 0),
    times: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ user, what, chat, isBot, times }) =>
    Array.from({ length: times }, () => {
      const update = chat === null ? from(user, what) : inGroup(user, what, chat);
      return { ...update, sender: { id: user, name: "", is_bot: isBot } };
    }).flatMap((update) => [update, update]),
  );
const batches = fc.array(
  fc.record({
    waitMs: fc.integer({ min: -120_000, max: 120_000 }),
    updates: fc.array(some, { maxLength: 12 }),
  }),
  { maxLength: 12 },
);

const tight = {
  ...usualSettings,
  per_user: { capacity: 3, refill_per_minute: 6 },
  all: { capacity: 4, refill_per_minute: 6 },
};

type Plan = typeof batches extends fc.Arbitrary<infer T> ? T : never;

function judgeAll(door: Door, updates: readonly InboundUpdate[]): readonly Admitted[] {
  const { admitted, rest } = door.judge(...updates);
  return rest.length === 0 ? admitted : [...admitted, ...judgeAll(door, rest)];
}

function carryOut(plan: Plan) {
  const door = openDoor(tight);
  const began = door.at;
  const admitted = plan.flatMap(({ waitMs, updates }) => {
    door.at = Math.max(began, door.at + waitMs);
    return judgeAll(door, updates.flat());
  });
  const forwardMs = plan.reduce((sum, { waitMs }) => sum + Math.max(0, waitMs), 0);
  return { admitted, refilled: forwardMs / 10_000 };
}

function mayBeHere({ place, conversation, what }: Admitted): boolean {
  const mayWrite = ["1001", "1002"].includes(place.user_scope);
  const mayTap = place.user_scope === "2001" && what.kind === "button";
  return (
    (mayWrite || mayTap) && (conversation === "private" || place.conversation_scope === "-100")
  );
}

function isUrgent({ what }: Admitted): boolean {
  return !("text" in what) || what.command?.name === "stop";
}

it("T02, T04: lets in nobody who is not listed, and takes no more tokens than there were", () => {
  fc.assert(
    fc.property(batches, (plan) => {
      const { admitted, refilled } = carryOut(plan);
      expect(admitted.filter((one) => !mayBeHere(one))).toEqual([]);
      expect(admitted.filter((one) => !isUrgent(one)).length).toBeLessThanOrEqual(4.001 + refilled);
      for (const user of ["1001", "1002", "2001"]) {
        const own = admitted.filter(({ place }) => place.user_scope === user);
        const urgent = own.filter(isUrgent).length;
        expect(own.length - urgent).toBeLessThanOrEqual(3.001 + refilled);
        expect(urgent).toBeLessThanOrEqual(5 * (3.001 + refilled));
      }
    }),
    { numRuns: 60 },
  );
});

it("carries no more of a command that waits than any command reads", () => {
  const long = command("stop", "x".repeat(4_000));
  const { rest } = openDoor().judge(...Array.from({ length: 100 }, () => from("1001", long)));
  expect(rest).toHaveLength(99);
  expect(JSON.stringify(rest).length).toBeLessThan(100_000);
});
