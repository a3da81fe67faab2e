import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { actorReads } from "../../src/app/api/actor-reads.ts";
import type { Caller } from "../../src/app/api/caller.ts";
import { shortenedObject } from "../../src/app/records/shortened-json.ts";
import { machineEntries } from "../../src/actors/machine-entries.ts";
import { sessionAddress } from "../../src/actors/session-key.ts";
import { createMachineRegistry } from "../../src/engine/machine-registry.ts";
import { actorDetails, longestContext } from "../../src/schema/shown/actor-view.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";
import { heldModel } from "../support/held-model.ts";
import { reached } from "../actors/hive-watch.ts";

async function look(hive: TestHive, address: string) {
  const reads = actorReads(hive.engine.read, createMachineRegistry(machineEntries));
  const found = await reads["actor.get"]({ address }, {} as Caller);
  return actorDetails.parse(found);
}

const session = sessionAddress(place);

it("tells of a run that thinks: its deadline, its activity, and where each event leads", async () => {
  const model = heldModel();
  const hive = await createTestHive({ provider: model.provider });
  const { seq } = await hive.say("hello");
  await model.next();
  const run = await look(hive, `${session}/run/r${seq}`);
  expect(run).toMatchObject({
    state: "thinking",
    active: ["thinking"],
    created_at: "1970-01-01T00:16:40.000Z",
    timers: [{ name: "runDeadline", at: "1970-01-01T00:46:40.000Z", event: "after runDeadline" }],
    activities: [
      {
        name: "callModel",
        status: "started",
        attempt: 1,
        failed: 0,
        not_before: null,
        error: null,
      },
    ],
    children: 0,
  });
  expect(
    run.next_events.map(({ type, pokeable, targets }) => ({ type, pokeable, targets })),
  ).toEqual([
    { type: "inbox.handed", pokeable: false, targets: ["thinking"] },
    { type: "run.cancel", pokeable: true, targets: ["cancelling"] },
    { type: "run.steered", pokeable: false, targets: ["thinking"] },
    { type: "run.stop_after_step", pokeable: true, targets: ["thinking"] },
  ]);
  expect(await look(hive, session)).toMatchObject({ state: "running", children: 1, timers: [] });
});

it("tells when a failed model call is made again, and why it failed", async () => {
  const model = heldModel();
  const hive = await createTestHive({ provider: model.provider });
  const { seq } = await hive.say("hello");
  const asked = await model.next();
  const told = new Promise((resolve) => hive.engine.onNotice(resolve));
  asked.fails(
    new AgentError("model.overloaded", "Too busy.", { retryable: true, retryAfterMs: 90_000 }),
  );
  await told;
  const { activities } = await look(hive, `${session}/run/r${seq}`);
  expect(activities).toMatchObject([
    {
      status: "pending",
      attempt: 1,
      failed: 1,
      not_before: "1970-01-01T00:18:10.000Z",
      error: { code: "model.overloaded" },
    },
  ]);
});

it("gives the shape of each payload as a JSON schema that takes what the service takes", async () => {
  const hive = await createTestHive();
  await hive.say('call file_write {"path":"a.txt","content":"hi"}');
  await hive.engine.settled();
  const events = new Map(
    (await look(hive, session)).next_events.map((event) => [event.type, event]),
  );
  expect(events.get("message.received")).toMatchObject({ pokeable: true, targets: ["running"] });
  const schema = events.get("message.received")?.payload ?? {};
  const takes = new Ajv2020().compile(schema);
  expect(takes({ text: "hello", queue: "steer" })).toBe(true);
  expect(takes({})).toBe(false);
  expect(takes({ text: "hello", $: { at: 1 } })).toBe(false);
  expect(events.get("session.cancel")).toMatchObject({
    targets: ["closing"],
    payload: { properties: { reason: { type: "string", maxLength: 2000 } } },
  });
});

it("offers the one way of answering that a question takes", async () => {
  const hive = await createTestHive();
  await hive.say('call file_write {"path":"a.txt","content":"hi"}');
  await hive.engine.settled();
  const [approval] = await hive.engine
    .actors({ status: "active" })
    .then((rows) => rows.filter(({ machine }) => machine === "approval"));
  const { next_events } = await look(hive, approval?.address ?? "");
  expect(next_events.map(({ type, pokeable, targets }) => ({ type, pokeable, targets }))).toEqual([
    { type: "approval.cancel", pokeable: false, targets: ["cancelled"] },
    { type: "approval.decide", pokeable: false, targets: ["pending", "approved", "denied"] },
  ]);
});

it("tells of one that has ended where it ended, and that it accepts nothing", async () => {
  const hive = await createTestHive();
  const ended = reached(hive, "run", "done");
  const { seq } = await hive.say("hello");
  await ended;
  await hive.engine.settled();
  expect(await look(hive, `${session}/run/r${seq}`)).toMatchObject({
    status: "done",
    active: ["done"],
    next_events: [],
    timers: [],
    activities: [],
  });
});

it("cuts the longest parts of a context that is too long, and says what they lack", () => {
  const long = "x".repeat(300_000);
  const context = {
    id: "c1",
    call: { name: "file_write", input: { path: "a.txt", content: long } },
  };
  const shown = shortenedObject(context, longestContext);
  expect(shown).toMatchObject({ id: "c1", call: { name: "file_write", input: { path: "a.txt" } } });
  expect(JSON.stringify(shown).length).toBeLessThan(longestContext + 200);
  const { content } = (shown["call"] as typeof context.call).input;
  expect(content).toMatch(/^x+… \d+ more characters are left out$/);
});

it("cuts many keys and entries, and text between two characters", () => {
  const many = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]),
  );
  const shown = shortenedObject({ many, list: Array.from({ length: 50_000 }, () => 7) }, 1_000);
  expect(JSON.stringify(shown).length).toBeLessThan(1_500);
  expect(JSON.stringify(shown)).toContain("more keys are left out");
  expect(JSON.stringify(shown)).toContain("more entries are left out");
  const crabs = shortenedObject({ text: "🦀".repeat(1_000) }, 101);
  expect(crabs).toEqual({ text: `${"🦀".repeat(50)}… 1900 more characters are left out` });
});

it.each([
  [
    "message.received",
    { text: "a", queue: "x" },
    'message.received: queue: expected one of "follow_up"|"steer"|"interrupt"|"collect". It takes {text, queue?, boundary?, trust?, ttl_ms?}.',
  ],
  [
    "session.cancel",
    { reason: 5 },
    "session.cancel: reason: expected string, received number. It takes {reason?}.",
  ],
  [
    "run.stop_after_step",
    { reason: "x" },
    'run.stop_after_step: unknown property "reason". It takes nothing.',
  ],
])(
  "says of a %s that does not fit which field is wrong, and what it takes",
  async (type, payload, message) => {
    const { engine } = await createTestHive();
    const sent = engine.send(session, { type, ...payload }, { origin: "cli", poke: true });
    await expect(sent).rejects.toMatchObject({ code: "event.invalid", message });
  },
);
