import { randomUUID } from "node:crypto";
import type { Connection } from "../../src/client/connection.ts";
import type { Reply, Script } from "./anthropic-server.ts";
import { apiError } from "./anthropic-server.ts";
import { doJobs } from "./jobs.ts";
import type { Measured, ServiceProcess } from "./service-process.ts";

/** Many runs through one service whose model fails in every way that it can. */

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Fault = {
  readonly name: string;
  readonly share: number;
  readonly spoil: (good: Reply, random: () => number) => Reply;
};

const streamBytes = 1_500;

export const faults: readonly Fault[] = [
  { name: "reset", share: 0.03, spoil: () => ({ reset: true }) },
  {
    name: "cut stream",
    share: 0.04,
    spoil: (good, random) => ({
      ...good,
      cut: {
        afterBytes: Math.floor(random() * streamBytes),
        how: random() < 0.5 ? "end" : "reset",
      },
    }),
  },
  {
    name: "429",
    share: 0.03,
    spoil: () => ({
      ...apiError(429, "rate_limit_error", "slow down"),
      headers: { "retry-after-ms": "50" },
    }),
  },
  { name: "500", share: 0.01, spoil: () => apiError(500, "api_error", "it broke") },
  { name: "529", share: 0.01, spoil: () => apiError(529, "overloaded_error", "too many") },
  { name: "junk", share: 0.01, spoil: () => ({ junk: "<html>not the API</html>" }) },
  {
    name: "half an event",
    share: 0.01,
    spoil: () => ({ junk: 'event: message_start\ndata: {"type":"mess' }),
  },
  {
    name: "error in the stream",
    share: 0.01,
    spoil: (good) => ({
      ...good,
      error: { afterEvents: 2, type: "overloaded_error", message: "enough" },
    }),
  },
  { name: "slow", share: 0.01, spoil: (good) => ({ ...good, delayMs: 20 }) },
  { name: "silent", share: 0.003, spoil: () => ({ hang: true }) },
];

/** @param counts hears each fault that was made */
export function faulty(random: () => number, counts: Map<string, number>): Script {
  return (request) => {
    const good = doJobs(request);
    let point = random();
    for (const { name, share, spoil } of faults) {
      point -= share;
      if (point >= 0) continue;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return spoil(good, random);
    }
    return good;
  };
}

export type SoakOptions = {
  readonly service: ServiceProcess;
  readonly connection: Connection;
  /** The number of the first job. */
  readonly from: number;
  readonly runs: number;
  readonly sessions: number;
  readonly measureEvery: number;
  readonly longestRunMs: number;
};

export type Soaked = {
  /** How each run ended: `done`, or the code of its error. */
  readonly ends: readonly string[];
  readonly samples: readonly (Measured & { readonly runs: number })[];
};

/** Each session takes its jobs one after the other; all sessions work at the same time. Measures where nothing is under way. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const { service, connection, measureEvery } = options;
  const ends: string[] = [];
  const samples: (Measured & { runs: number })[] = [];
  for (let done = 0; done < options.runs; done += measureEvery) {
    const jobs = Array.from({ length: measureEvery }, (_, index) => options.from + done + index);
    const worker = async (session: string) => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
        ends.push(await endOf(connection, { job, session, longestMs: options.longestRunMs }));
      }
    };
    await Promise.all(Array.from({ length: options.sessions }, (_, n) => worker(`soak-${n}`)));
    samples.push({ runs: done + measureEvery, ...(await service.measure()) });
  }
  return { ends, samples };
}

type Job = { readonly job: number; readonly session: string; readonly longestMs: number };

async function endOf(connection: Connection, { job, session, longestMs }: Job): Promise<string> {
  const chat = randomUUID();
  let leave = () => {};
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<string>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`job ${job} is stuck`)), longestMs);
    leave = connection.on("chat.end", ({ chat: ended, event }) => {
      if (ended !== chat || event.type !== "run.finished") return;
      resolve(event.error?.code ?? event.status);
    });
  });
  try {
    await connection.call("chat.send", { chat, text: `job ${job}`, session });
    return await end;
  } finally {
    clearTimeout(timer);
    leave();
  }
}
