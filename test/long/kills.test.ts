import { expect, it } from "vitest";
import { createJobHome, type JobHome } from "../support/jobs.ts";
import { driveJobs, type JobDriver } from "../support/job-driver.ts";
import { startServiceProcess } from "../support/service-process.ts";
import type { ShownRun } from "../../src/schema/protocol.ts";

/** Every accepted message has one run, each run ended well, and no file was written twice unless a person was asked. */
async function expectAllDoneOnce(
  driver: JobDriver,
  runs: readonly ShownRun[],
  texts: readonly string[],
) {
  const tasks = await driver.call((present) => present.call("tasks.list", { limit: 10_000 }));
  expect(tasks.map((task) => task.text).toSorted()).toEqual([...texts].toSorted());
  const ended = runs.map(({ state, error }) => (state === "done" ? state : (error?.code ?? state)));
  expect(ended.filter((end) => end !== "done" && end !== "activity.crash_loop")).toEqual([]);
  expect(await driver.call((present) => present.call("audit.verify", {}))).toMatchObject({
    ok: true,
  });
  const dead = await driver.call((present) => present.call("status", {}));
  expect(dead).toMatchObject({ quarantined: 0, approvals: 0, degraded: null });
}

function expectWrittenOnce(jobs: JobHome, driver: JobDriver, numbers: readonly number[]) {
  const asked = new Set(driver.unknown().map(({ input }) => input["path"]));
  for (const job of numbers) {
    const wasAsked = asked.has(`jobs/${job}.txt`);
    const written = jobs.written(job);
    expect([job, driver.writes(job) <= 1]).toEqual([job, true]);
    expect([job, written]).toEqual([
      job,
      wasAsked && written === undefined ? undefined : `job ${job}\n`,
    ]);
  }
}

async function killAtRandom(driver: JobDriver, signal: AbortSignal): Promise<void> {
  for (let kills = 0; kills < 20 && !signal.aborted; kills++) {
    await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 500));
    await driver.kill();
  }
}

async function countPoints(texts: readonly string[]): Promise<number> {
  const jobs = await createJobHome();
  const driver = await driveJobs(jobs);
  await driver.send(texts);
  await driver.finish(texts);
  const points = await driver.stop();
  await jobs.close();
  return points;
}

it("goes on from every commit at which it is killed", async () => {
  const texts = ["job 1", "ask job 2"];
  const points = await countPoints(texts);
  expect(points).toBeGreaterThan(10);
  for (let killAt = 1; killAt <= points; killAt++) {
    const jobs = await createJobHome();
    const driver = await driveJobs(jobs, killAt);
    await driver.send(texts);
    const runs = await driver.finish(texts);
    await expectAllDoneOnce(driver, runs, texts);
    expectWrittenOnce(jobs, driver, [1]);
    await driver.stop();
    await jobs.close();
  }
});

it("keeps every message of 200 through 20 random kills, and does nothing twice", async () => {
  const jobs = await createJobHome();
  const driver = await driveJobs(jobs);
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  const texts = numbers.map((number) => `job ${number}`);
  const killing = new AbortController();
  const killer = killAtRandom(driver, killing.signal);
  await driver.send(texts);
  const runs = await driver.finish(texts);
  killing.abort();
  await killer;
  await expectAllDoneOnce(driver, runs, texts);
  expectWrittenOnce(jobs, driver, numbers);
  expect(driver.starts()).toBeGreaterThan(10);
  await driver.stop();
  await jobs.close();
});

it("refuses a second service on the same home at once, and the first goes on", async () => {
  const jobs = await createJobHome();
  const driver = await driveJobs(jobs);
  const second = startServiceProcess({ home: jobs.home, env: jobs.env });
  await expect(second).rejects.toThrow(/engine\.in_use|Another statehive/);
  await driver.send(["job 1"]);
  await driver.finish(["job 1"]);
  await driver.stop();
  await jobs.close();
});
