import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { createOfflineProvider } from "../../../src/adapters/model/offline/offline-provider.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { EngineCrash } from "../../../src/engine/transaction.ts";
import type { ModelProvider } from "../../../src/ports/model.ts";
import { AgentError, toErrorData } from "../../../src/schema/errors.ts";
import { approvalTable } from "../../../src/schema/rows/permission-rows.ts";
import { play } from "../../support/crash-play.ts";
import { type Disk, type DiskMaker, libsqlDisk, memoryDisk } from "../../support/disks.ts";
import { createTestHive, place, type TestHive } from "../../support/hive.ts";
import { journalViews, notTheSame, runsOf } from "../../support/replays.ts";

/** Whatever has happened to a run: run again over its recorded events, every actor does what it did. */

async function strangeSteps(disk: Disk): Promise<unknown[]> {
  const { committed } = await disk.open();
  const runs = await runsOf(committed);
  expect(runs.length).toBeGreaterThan(0);
  const pages = runs.map(({ run_id }) => journalViews(committed).page(run_id));
  return (await Promise.all(pages)).flatMap(({ frames }) => notTheSame(frames));
}

describe.each([
  ["memory", memoryDisk, 3],
  ["libsql", libsqlDisk, 17],
] as const)("over the %s store", (_name, makeDisk, every) => {
  it("a run that died at any commit is the same, run again", async () => {
    for (let crashAt = 1, isOver = false; !isOver; crashAt += every) {
      const disk = await makeDisk(allTables);
      let points = 0;
      const faultPoint = (label: string) => {
        points += 1;
        if (points === crashAt) throw new EngineCrash(label);
      };
      const files = createMemoryFiles({ "in.txt": "input\n" });
      const { crashes } = await play({ disk, files, faultPoint });
      await disk.crash();
      expect({ crashAt, strange: await strangeSteps(disk) }).toEqual({ crashAt, strange: [] });
      await disk.dispose();
      isOver = crashes === 0;
    }
  });
});

type Doing =
  | {
      readonly do: "say";
      readonly text: string;
      readonly queue: "follow_up" | "steer" | "interrupt";
    }
  | { readonly do: "decide"; readonly decision: "approve" | "deny" }
  | { readonly do: "answer" | "cancel" | "stop" | "crash" }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "trouble"; readonly times: number };

const doing: fc.Arbitrary<Doing> = fc.oneof(
  fc.record({
    do: fc.constant("say" as const),
    text: fc.constantFrom(
      "hello",
      'call file_read {"path":"in.txt"}',
      'call file_read {"path":"gone.txt"}\ncall file_write {"path":"out.txt","content":"x"}',
      'call file_write {"path":"a.txt","content":"x"}\ncall file_write {"path":"b.txt","content":"y"}',
      'call ask_user {"question":"Which colour?"}',
      'call nothing_known {"a":1}',
    ),
    queue: fc.constantFrom("follow_up", "steer", "interrupt"),
  }),
  fc.record({ do: fc.constant("decide" as const), decision: fc.constantFrom("approve", "deny") }),
  fc.record({ do: fc.constantFrom("answer", "cancel", "stop", "crash") }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1_000, 60_000, 90_000_000) }),
  fc.record({ do: fc.constant("trouble" as const), times: fc.integer({ min: 1, max: 5 }) }),
);

/** The offline model, which fails as often as it is told to. */
function troubledModel() {
  const model = createOfflineProvider();
  let left = 0;
  const complete: ModelProvider["complete"] = async (request, options) => {
    left -= 1;
    if (left >= 0) throw new AgentError("model.overloaded", "Too busy.", { retryable: true });
    return model.complete(request, options);
  };
  return { provider: { ...model, complete }, trouble: (times: number) => void (left = times) };
}

async function live(makeDisk: DiskMaker, doings: readonly Doing[]): Promise<unknown[]> {
  const disk = await makeDisk(allTables);
  const clock = createSimulatedClock(1_000_000);
  const files = createMemoryFiles({ "in.txt": "input\n" });
  const { provider, trouble } = troubledModel();
  const open = async () => createTestHive({ store: await disk.open(), clock, files, provider });
  let hive = await open();
  await hive.say("hello", place);
  for (const each of doings) {
    if (each.do === "crash") {
      await disk.crash();
      hive = await open();
    } else if (each.do === "trouble") trouble(each.times);
    else if (each.do === "wait") clock.advance(each.ms);
    else await act(hive, each).catch(unlessRefused);
    await hive.engine.settled();
  }
  const strange = await strangeSteps(disk);
  await hive.engine.close();
  await disk.dispose();
  return strange;
}

async function act(hive: TestHive, each: Doing): Promise<void> {
  const { engine } = hive;
  if (each.do === "say") return void (await hive.say(each.text, place, undefined, each.queue));
  const pending = { index: "by_state", equals: ["pending"] };
  const approvals = await engine.read.select(approvalTable, pending);
  const open = (await runsOf(engine.read)).filter(({ state }) => state === null);
  const by = "tester";
  const events = {
    decide: { type: "approval.decide", decision: "approve", scope: "once", by, ...each },
    answer: { type: "approval.answer", value: "red", by },
    cancel: { type: "run.cancel" },
    stop: { type: "run.stop_after_step" },
  } as const;
  if (each.do !== "decide" && each.do !== "answer" && each.do !== "cancel" && each.do !== "stop")
    return;
  const { do: _do, ...event } = { do: "", ...events[each.do] };
  const whom = each.do === "decide" || each.do === "answer" ? approvals : open;
  for (const { address } of whom) await engine.send(address, event, { origin: "cli" });
}

function unlessRefused(thrown: unknown): void {
  const { code } = toErrorData(thrown);
  if (!code.startsWith("event.")) throw thrown;
}

it("a run that was asked, told, troubled, ended and interrupted in any order is the same, run again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(doing, { minLength: 3, maxLength: 14 }), async (doings) => {
      expect(await live(memoryDisk, doings)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
