import { answerParent } from "./child.ts";
import { createBenchHive, openStore } from "./bench-hive.ts";
import { countReads } from "./count-reads.ts";
import { cpuOf } from "./measure.ts";
import { rounds } from "./model-server.ts";
import { approvalTable } from "../../src/schema/rows/permission-rows.ts";

/** A service's engine over a file, that can be killed: fills it with runs that wait for a person, or goes on with them. */

export type HiveOrder =
  | { readonly do: "wait"; readonly runs: number }
  | { readonly do: "decide"; readonly runs: number };

export type Started = {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly rowsRead: number;
};

const [url = "", file = ""] = process.argv.slice(2);
const from = performance.now();
const { store, reads } = countReads(await openStore(file, "process"));
const hive = createBenchHive({ url, store, streams: true });
const startCpu = process.cpuUsage();
await hive.engine.start();
const { user, system } = process.cpuUsage(startCpu);
const started: Started = {
  readyMs: performance.now() - from,
  cpuMs: (user + system) / 1000,
  rowsRead: reads.rows,
};

const pending = (limit: number) =>
  hive.engine.read.select(approvalTable, { index: "by_state", equals: ["pending"], limit });

async function wait(runs: number): Promise<object> {
  for (let at = 0; at < runs; at += 1) await hive.say(`s${at}`, rounds(1, "guarded_weather"));
  await hive.engine.settled();
  return { waiting: (await pending(runs + 1)).length };
}

async function decide(runs: number): Promise<object> {
  const event = { type: "approval.decide", decision: "approve", scope: "once", by: "bench" };
  const open = await pending(runs);
  const begin = performance.now();
  const cpuMs = await cpuOf(async () => {
    await Promise.all(
      open.map(({ address }) => hive.engine.send(address, event, { origin: "cli" })),
    );
    await hive.engine.settled();
  });
  const left = (await pending(runs)).length;
  return { cpuMs, wallMs: performance.now() - begin, left };
}

answerParent(async (message) => {
  if (message === "started") return started;
  const order = message as HiveOrder;
  return order.do === "wait" ? wait(order.runs) : decide(order.runs);
});
