import { join } from "node:path";
import { createClient } from "@libsql/client";
import { describe, expect, it, onTestFailed, onTestFinished } from "vitest";
import type { Script } from "../support/anthropic-server.ts";
import { createJobHome, doJobs, type JobHome } from "../support/jobs.ts";
import {
  type Measured,
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.ts";
import { slopeOf } from "../support/slope.ts";
import { createRandom, faults, faulty, soak, type Soaked } from "../support/soak.ts";

/** Thousands of runs through one process whose model fails all the time: none is stuck, and nothing is left behind. */

const mebibyte = 1024 * 1024;
const mainYaml = `engine: { durability: process }
runs: { max_concurrent: 24 }
`;

type SoakPlan = {
  /** Runs before the first measurement, without faults: until then code is compiled, and caches and arenas fill. */
  readonly warmUp: number;
  /** With the script's faults. */
  readonly runs: number;
  /** After those, without faults: the resident size follows the pace of the runs, and only at one pace it shows where it goes. */
  readonly coolDown: number;
  readonly measureEvery: number;
  /** While the script fails: each measurement waits for the run that is repeated longest. */
  readonly measureFaultsEvery?: number;
  readonly script?: ReturnType<typeof faulty>;
  readonly leakBytes?: number;
};

type Result = Pick<Soaked, "ends"> & {
  readonly jobs: JobHome;
  readonly start: Measured;
  readonly end: Measured;
  readonly faulted: Soaked["samples"];
  readonly calm: Soaked["samples"];
};

const sessions = 24;
const longestRunMs = 150_000;
const quietSeconds = 7;
const calmRuns = { before: 1_500, after: 2_500 };
/** Samples until the resident size is that of the new pace. */
const paceChange = 4;
/** In MB for each 1,000 runs. What the heap uses is exact; outside of it, some of what is freed lies between what is not (1.5 MB, slowing down,
 *  while what is in use stays at 12 MB). */
const mostGrowth = { inHeap: 1, outsideOfHeap: 4 };

/** Connections to the model stay open for some seconds after their last use. */
async function whenIdle(service: ServiceProcess): Promise<Measured> {
  let now = await service.measure();
  for (let quiet = 0; quiet < quietSeconds; quiet += 1) {
    const before = now.descriptors;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    now = await service.measure();
    if (now.descriptors !== before) quiet = 0;
  }
  return now;
}

async function soaked(plan: SoakPlan): Promise<Result> {
  const { warmUp, runs, coolDown, measureEvery, script = doJobs, leakBytes = 0 } = plan;
  const { measureFaultsEvery = measureEvery } = plan;
  let present: Script = doJobs;
  const jobs = await createJobHome({
    mainYaml,
    providerYaml: "timeout_ms: 2000\n",
    grant: ["fs.read:**", "fs.write:**"],
    script: (...asked) => present(...asked),
  });
  onTestFinished(() => jobs.close());
  const { home, env } = jobs;
  const service = await startServiceProcess({ home, env, measured: true, leakBytes });
  const connection = await service.connect();
  const parts = { service, connection, sessions, measureEvery, longestRunMs };
  await soak({ ...parts, from: 1, runs: warmUp });
  const start = await whenIdle(service);
  present = script;
  const failing = { from: 1 + warmUp, runs, measureEvery: measureFaultsEvery };
  const faulted = await soak({ ...parts, ...failing });
  present = doJobs;
  const calm = await soak({ ...parts, from: 1 + warmUp + runs, runs: coolDown });
  const end = await whenIdle(service);
  expect(await connection.call("status", {})).toMatchObject({
    runs: 0,
    approvals: 0,
    quarantined: 0,
    dead_letters: 0,
    degraded: null,
  });
  expect(await connection.call("audit.verify", {})).toMatchObject({ ok: true });
  connection.close();
  await service.stop();
  const later = calm.samples.map((sample) => ({ ...sample, runs: sample.runs + runs }));
  return { jobs, start, end, ends: faulted.ends, faulted: faulted.samples, calm: later };
}

const inHeap = ({ heapUsed }: Measured) => heapUsed;
/** The pages of V8's heap come and go by the MB, and what fills them is seen in the heap. */
const outsideOfHeap = ({ rss, heapTotal }: Measured) => rss - heapTotal;

/** In MB for each 1,000 runs. */
function growthOf(bytesOf: (now: Measured) => number, samples: Soaked["samples"]): number {
  return slopeOf(samples.map((now) => ({ x: now.runs / 1_000, y: bytesOf(now) / mebibyte })));
}

/** Runs, then MB used of the heap, of the heap, of buffers outside of it, and resident: for whoever is to find what grew. */
function listed(samples: Soaked["samples"]): string {
  const inMb = (bytes: number) => (bytes / mebibyte).toFixed(1);
  return samples
    .map(({ runs, heapUsed, heapTotal, external, rss }) =>
      [runs, ...[heapUsed, heapTotal, external, rss].map(inMb)].join(" "),
    )
    .join("\n");
}

async function counted(jobs: JobHome, sql: string): Promise<number> {
  const client = createClient({ url: `file:${join(jobs.home, "data/statehive.db")}` });
  try {
    const { rows } = await client.execute(sql);
    return Number(rows[0]?.["n"]);
  } finally {
    client.close();
  }
}

describe("a soak", () => {
  it(
    "of 1,200 runs with a model that fails leaves no run stuck and nothing behind",
    { timeout: 900_000 },
    async () => {
      const made = new Map<string, number>();
      const script = faulty(createRandom(20_261_122), made);
      const runs = 1_200;
      const { jobs, ends, faulted, calm, start, end } = await soaked({
        warmUp: calmRuns.before,
        runs,
        coolDown: calmRuns.after,
        measureEvery: 100,
        measureFaultsEvery: 300,
        script,
      });
      onTestFailed(() => void process.stderr.write(listed([...faulted, ...calm])));
      expect(ends).toHaveLength(runs);
      const bad = ends.filter((how) => how !== "done");
      expect(bad.filter((how) => !how.startsWith("model."))).toEqual([]);
      expect(bad.length).toBeLessThan(runs / 20);
      expect([...made.keys()].toSorted()).toEqual(faults.map(({ name }) => name).toSorted());

      const left = {
        "runs without an end": "SELECT count(*) n FROM runs WHERE ended_at IS NULL",
        "runs whose actor says something else":
          "SELECT count(*) n FROM runs r JOIN actors a ON a.address = r.address WHERE a.state <> r.state",
        "runs without a journal of their end":
          "SELECT count(*) n FROM runs r WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.address = r.address AND j.state_after = r.state)",
        "living runs and calls":
          "SELECT count(*) n FROM actors WHERE status = 'active' AND machine IN ('run', 'tool_call', 'approval')",
        "timers of runs and calls": "SELECT count(*) n FROM timers WHERE address LIKE '%/run/%'",
        "slots": "SELECT count(*) n FROM slots",
        "work under way": "SELECT count(*) n FROM activities",
        "letters": "SELECT count(*) n FROM mail",
      };
      for (const [what, sql] of Object.entries(left))
        expect([what, await counted(jobs, sql)]).toEqual([what, 0]);
      expect(await counted(jobs, "SELECT count(*) n FROM runs")).toBe(
        calmRuns.before + runs + calmRuns.after,
      );

      expect(end.descriptors).toBeLessThanOrEqual(start.descriptors);
      expect(end.resources).toEqual(start.resources);
      expect(growthOf(inHeap, [...faulted, ...calm])).toBeLessThan(mostGrowth.inHeap);
      expect(growthOf(outsideOfHeap, calm.slice(paceChange))).toBeLessThan(
        mostGrowth.outsideOfHeap,
      );
      expect(end.rss - start.rss).toBeLessThan(20 * mebibyte);
    },
  );

  it("sees leaks of some KB in each run, in the heap and outside of it, far above its bounds", async () => {
    const { faulted } = await soaked({
      warmUp: 200,
      runs: 400,
      coolDown: 0,
      measureEvery: 25,
      leakBytes: 1_600,
    });
    expect(growthOf(inHeap, faulted)).toBeGreaterThan(5 * mostGrowth.inHeap);
    expect(growthOf(outsideOfHeap, faulted)).toBeGreaterThan(2 * mostGrowth.outsideOfHeap);
  });
});
