import { join } from "node:path";
import { createClient } from "@libsql/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { createJobHome, type JobHome } from "../support/jobs.ts";
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
  readonly runs: number;
  readonly measureEvery: number;
  readonly script?: ReturnType<typeof faulty>;
  readonly leakBytes?: number;
};

type Result = Soaked & {
  readonly jobs: JobHome;
  readonly start: Measured;
  readonly end: Measured;
};

const sessions = 24;
const longestRunMs = 150_000;
const quietSeconds = 7;
const peakOf = 5;

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

async function soaked({ runs, measureEvery, script, leakBytes = 0 }: SoakPlan): Promise<Result> {
  const jobs = await createJobHome({
    mainYaml,
    providerYaml: "timeout_ms: 2000\n",
    grant: ["fs.read:**", "fs.write:**"],
    ...(script === undefined ? {} : { script }),
  });
  onTestFinished(() => jobs.close());
  const { home, env } = jobs;
  const service = await startServiceProcess({ home, env, measured: true, leakBytes });
  const connection = await service.connect();
  const parts = { service, connection, sessions, measureEvery, longestRunMs };
  const first = await soak({ ...parts, from: 1, runs: measureEvery });
  const start = await whenIdle(service);
  const rest = await soak({ ...parts, from: 1 + measureEvery, runs: runs - measureEvery });
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
  return { jobs, start, end, ends: [...first.ends, ...rest.ends], samples: rest.samples };
}

/** In MB for each 1,000 runs, once the first half is over: until then code is compiled and caches fill. */
function growth(samples: Soaked["samples"], what: "rss" | "heapUsed"): number {
  const settled = samples.slice(Math.floor(samples.length / 2));
  return slopeOf(settled.map((sample) => ({ x: sample.runs / 1_000, y: sample[what] / mebibyte })));
}

/** What V8 gives back to the system now and then makes the resident size jump; its highest of each few samples does not. */
function peaks(samples: Soaked["samples"]): Soaked["samples"] {
  return samples.flatMap((sample, at) =>
    at < peakOf - 1
      ? []
      : [
          {
            ...sample,
            rss: Math.max(...samples.slice(at + 1 - peakOf, at + 1).map(({ rss }) => rss)),
          },
        ],
  );
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
    "of 2,000 runs with a model that fails leaves no run stuck and nothing behind",
    { timeout: 900_000 },
    async () => {
      const made = new Map<string, number>();
      const script = faulty(createRandom(20_261_122), made);
      const runs = 2_000;
      const { jobs, ends, samples, start, end } = await soaked({ runs, measureEvery: 100, script });
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
      expect(await counted(jobs, "SELECT count(*) n FROM runs")).toBe(runs);

      expect(end.descriptors).toBeLessThanOrEqual(start.descriptors);
      expect(end.resources).toEqual(start.resources);
      expect(growth(samples, "heapUsed")).toBeLessThan(1);
      expect(growth(peaks(samples), "rss")).toBeLessThan(1);
    },
  );

  it("sees a leak of some KB in each run, far above the bound", async () => {
    const { samples } = await soaked({ runs: 400, measureEvery: 25, leakBytes: 200 });
    expect(growth(samples, "heapUsed")).toBeGreaterThan(5);
  });
});
