import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJudge } from "../src/actors/judge-call.ts";
import { verdict } from "../src/policy/verdict.ts";
import type { RowStore } from "../src/ports/store.ts";
import type { Grant } from "../src/schema/rows/permission-rows.ts";
import { createToolRegistry } from "../src/tools/registry.ts";
import { agentsOf, benchAgent } from "./support/bench-agent.ts";
import { openStore } from "./support/bench-hive.ts";
import { callFor, giveGrants, grantsOf, noteDefinition } from "./support/granted-work.ts";
import { median, numbersOf, printTable } from "./support/measure.ts";

/** What it costs to judge a guarded call, by how many grants its session has: the decision alone, and all of it, with what is
 *  read for it inside a transaction. Every second call is covered by a grant. */

const { most, rounds, verdicts } = numbersOf({ most: 10_000, rounds: 15, verdicts: 500 });

const agent = benchAgent({ tools: [noteDefinition.name], boundary: ["fs.write:**"] });
const tools = createToolRegistry([noteDefinition]);
const judge = createJudge(agentsOf(agent), tools);

type Contender = { readonly one: (number: number) => string; end(): Promise<void> };

/** The grants that could cover the call were found: at most one here. */
function pure(grants: readonly Grant[]): Contender {
  const { name, risk } = noteDefinition;
  const one = (number: number) => {
    const capability = `fs.write:notes/of/many/note-${number}.md`;
    const found = number > grants.length ? [] : grants.slice(number - 1, number);
    return verdict({
      tool: { name, risk },
      capabilities: [capability],
      agent: agent.policy,
      grants: found,
    }).verdict;
  };
  return { one, end: async () => {} };
}

async function whole(grants: readonly Grant[], file: string | undefined): Promise<Contender> {
  const store: RowStore = await openStore(file, "process");
  await giveGrants(store, grants);
  store.begin();
  return {
    one: (number) => judge(store, callFor(number), 5).verdict,
    end: async () => {
      store.rollback();
      await store.close();
    },
  };
}

/** CPU microseconds a verdict. */
function batch({ one }: Contender, count: number): number {
  const from = process.cpuUsage();
  for (let judged = 0; judged < verdicts; judged += 1) {
    const isCovered = count > 0 && judged % 2 === 0;
    const number = isCovered ? 1 + ((judged * 7919) % count) : count + 1 + judged;
    const given = one(number);
    if (given !== (isCovered ? "run" : "ask")) throw new Error(`call ${number} was to ${given}`);
  }
  const { user, system } = process.cpuUsage(from);
  return (user + system) / verdicts;
}

const directory = mkdtempSync(join(tmpdir(), "statehive-bench-"));
const counts = [0, 10, 100, 1_000, 10_000].filter((count) => count <= most);
const names = ["verdict alone", "judged in memory", "judged on a file"];
const teams = new Map<number, readonly Contender[]>();
for (const count of counts) {
  const grants = grantsOf(count);
  const file = join(directory, `${count}.db`);
  teams.set(count, [pure(grants), await whole(grants, undefined), await whole(grants, file)]);
}

type Cell = { readonly count: number; readonly at: number; readonly us: number[] };
const cells: Cell[] = counts.flatMap((count) => names.map((_, at) => ({ count, at, us: [] })));
const measure = ({ count, at }: Cell) => batch(teams.get(count)?.[at] as Contender, count);
for (const cell of cells) for (let warmUp = 0; warmUp < 3; warmUp += 1) measure(cell);
for (let round = 0; round < rounds; round += 1)
  for (const cell of cells) cell.us.push(measure(cell));
for (const team of teams.values()) for (const { end } of team) await end();
rmSync(directory, { recursive: true, force: true });

printTable([
  ["CPU microseconds a verdict", ...counts.map((count) => `${count} grants`)],
  ...names.map((name, at) => [
    name,
    ...cells.filter((cell) => cell.at === at).map(({ us }) => median(us).toFixed(1)),
  ]),
]);
