import { expect, it } from "vitest";
import type { ShownSchedule } from "../../src/schema/shown/shown-schedules.ts";
import { fakeService } from "./support/fake-service.ts";
import { run } from "./support/fake-terminal.ts";
import { sampleApproval, sampleQuestion, sampleSchedule } from "./support/samples.ts";

/** A schedule whose run asks somebody. */

const asks: ShownSchedule = {
  ...sampleSchedule,
  id: "report",
  state: "running",
  waiting_for: [{ ...sampleApproval, summary: "Write to \u001b[31mnotes/a.txt" }],
};

const question = `a7 waits for you: Write to \\x1b[31mnotes/a.txt
  \`statehive approvals show a7\`, then \`statehive approvals allow a7\` or \`deny a7\``;

it("says that it waits for a person, and for which question", async () => {
  const { home } = await fakeService({ "schedules.list": [asks], "schedules.show": asks });
  const env = { STATEHIVE_HOME: home };
  const { out } = await run(["schedule", "show", "report"], { env });
  expect(out).toMatch(/^ {2}state +running, waits for you$/m);
  expect(out.endsWith(`\n${question}\n`)).toBe(true);
  expect((await run(["schedule", "list"], { env })).out).toContain(" running, waits for you ");
});

it("says of one that works what a person has said meanwhile: it is paused then, or goes", async () => {
  const paused: ShownSchedule = { ...asks, afterwards: "paused", next_at: null };
  const { home } = await fakeService({
    "schedules.pause": paused,
    "schedules.list": [paused, { ...paused, waiting_for: [], afterwards: "removed" }],
  });
  const env = { STATEHIVE_HOME: home };
  const { out } = await run(["schedule", "pause", "report"], { env });
  expect(out).toBe("report is running, waits for you, then paused.\n");
  const listed = (await run(["schedule", "list"], { env })).out;
  expect(listed).toMatch(/ running, waits for you, then paused +- /);
  expect(listed).toMatch(/ running, then removed +- /);
});

it("tells each question once while it waits for the end", async () => {
  const another = { ...asks, waiting_for: [sampleQuestion] };
  const ended: ShownSchedule = { ...asks, state: "waiting", waiting_for: [], last_outcome: "done" };
  const looks = [asks, asks, another, another, asks, ended];
  const { home } = await fakeService({
    "schedules.run": { ...asks, waiting_for: [] },
    "schedules.show": () => looks.shift() ?? ended,
  });
  const env = { STATEHIVE_HOME: home };
  const { code, out, err } = await run(["schedule", "run", "report", "--wait"], { env });
  expect({ code, out }).toEqual({ code: 0, out: "report: done\n" });
  expect(err).toBe(
    `${question}\na9 asks you in run r4: Which colour? (red, blue)\n  \`statehive approvals answer a9 VALUE\`\n`,
  );
});
