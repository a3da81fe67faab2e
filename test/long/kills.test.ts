import { expect, it } from "vitest";
import { createJobHome, type JobHome } from "../support/jobs.ts";
import { driveJobs, type JobDriver } from "../support/job-driver.ts";
import { mirrored } from "../support/mirrored.ts";
import { startServiceProcess } from "../support/service-process.ts";
import type { ShownRun } from "../../src/schema/socket/protocol.ts";

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

/** Never twice; and once, unless the person said to skip it or the run was given up before it came to that. */
function expectWrittenOnce(jobs: JobHome, driver: JobDriver, runs: readonly ShownRun[]) {
  const skipped = new Set(driver.unknown().map(({ run_id }) => run_id));
  for (const run of runs) {
    const job = Number(/:job-(\d+):/.exec(run.address)?.[1] ?? 0);
    if (job === 0) continue;
    const written = jobs.written(job);
    const mayLack = skipped.has(run.run_id) || run.state !== "done";
    expect([job, driver.writes(job) <= 1]).toEqual([job, true]);
    expect([job, written ?? (mayLack && "given up")]).toEqual([
      job,
      written === undefined ? "given up" : `job ${job}\n`,
    ]);
  }
}

/** Somebody calls the driver meanwhile, so that the service comes back. */
async function killAtRandom(driver: JobDriver): Promise<void> {
  for (let kills = 0; kills < 20; kills++) {
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 400));
    const { length } = driver.lives();
    await driver.kill();
    while (driver.lives().length === length) await driver.breathe();
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
    expectWrittenOnce(jobs, driver, runs);
    await driver.stop();
    await jobs.close();
  }
});

it("keeps every message of 200 through 20 random kills, and does nothing twice", async () => {
  const jobs = await createJobHome();
  const driver = await driveJobs(jobs);
  const texts = Array.from({ length: 200 }, (_, index) => `job ${index + 1}`);
  const over = new AbortController();
  const killing = killAtRandom(driver).finally(() => over.abort());
  await driver.send(texts);
  while (!over.signal.aborted) {
    await driver.finish(texts);
    await driver.breathe();
  }
  await killing;
  const runs = await driver.finish(texts);
  await expectAllDoneOnce(driver, runs, texts);
  expectWrittenOnce(jobs, driver, runs);
  expect(driver.lives().length).toBe(21);
  await driver.stop();
  const { files, rows } = await mirrored(jobs.home);
  expect(files.length).toBeGreaterThan(texts.length * 4);
  expect(files).toEqual(rows);
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
