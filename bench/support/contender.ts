import { performance } from "node:perf_hooks";
import { type Contender, type ContenderKind, createContender } from "./contender-kinds.ts";
import { answerParent } from "./child.ts";
import { cpuOf, heapUsed } from "./measure.ts";
import { rounds } from "./model-server.ts";

/** One contender in a process of its own, told what to do and how often. */

export type Order =
  | { readonly do: "runs"; readonly runs: number; readonly rounds: number; readonly width: number }
  | { readonly do: "first_token" }
  | { readonly do: "heap" }
  | { readonly do: "disk" }
  | { readonly do: "close" };

const [kind, url = "", mode] = process.argv.slice(2);
let session = 0;

async function one(contender: Contender, count: number): Promise<void> {
  session += 1;
  const reply = await contender.ask(`s${session}`, rounds(count), () => {});
  if (!reply.includes("w10 w11 ")) throw new Error(`${kind} replied ${reply}`);
}

async function many(contender: Contender, { runs, width, ...order }: Order & { do: "runs" }) {
  let left = runs;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await one(contender, order.rounds);
    }
  };
  const from = performance.now();
  const cpuMs = await cpuOf(() => Promise.all(Array.from({ length: width }, lane)));
  return { cpuMs: cpuMs / runs, wallMs: (performance.now() - from) / runs };
}

async function firstToken(contender: Contender): Promise<{ ms: number }> {
  session += 1;
  const from = performance.now();
  let ms = Number.NaN;
  await contender.ask(`s${session}`, rounds(0), () => {
    if (Number.isNaN(ms)) ms = performance.now() - from;
  });
  return { ms };
}

const contender = await createContender(kind as ContenderKind, url, mode === "streaming");
answerParent(async (message) => {
  const order = message as Order;
  switch (order.do) {
    case "runs":
      return many(contender, order);
    case "first_token":
      return firstToken(contender);
    case "heap":
      return { bytes: heapUsed() };
    case "disk":
      return { bytes: contender.diskBytes() };
    case "close":
      await contender.close();
      return {};
  }
});
