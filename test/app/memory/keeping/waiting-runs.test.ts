import { expect, it } from "vitest";
import { waitingRuns } from "../../../../src/app/memory/keeping/waiting-runs.ts";

function held(most: number) {
  const taken: string[] = [];
  const works: (() => Promise<void>)[] = [];
  let looks = 0;
  const add = waitingRuns({
    most,
    tooMany: () => (looks += 1),
    inTurn: (work) => works.push(work),
    take: async (run_id) => void taken.push(run_id),
  });
  const go = async () => {
    for (const work of works.splice(0)) await work();
  };
  return { add, go, taken, works, looks: () => looks };
}

it("takes runs up in the order in which they ended, each once, by one piece of work", async () => {
  const { add, go, taken, works } = held(10);
  for (const run of ["r1", "r2", "r1", "r3"]) add(run);
  expect(works).toHaveLength(1);
  await go();
  expect(taken).toEqual(["r1", "r2", "r3"]);
  add("r4");
  await go();
  expect(taken).toEqual(["r1", "r2", "r3", "r4"]);
});

it("holds no more than it may, and has the rows looked at for the rest", async () => {
  const { add, go, taken, looks } = held(2);
  for (const run of ["r1", "r2", "r3"]) add(run);
  expect(looks()).toBe(1);
  await go();
  expect(taken).toEqual(["r3"]);
});
