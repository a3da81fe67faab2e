import { expect, it } from "vitest";
import { treeOf } from "../../src/tui/model/actor-tree.ts";
import { actorRow } from "./support/model-of-a-day.ts";

const at = (address: string, parent: string | null, state = "idle") => ({
  ...actorRow([address, "run", state, "", 0]),
  parent,
});
const actors = [
  at("session/b", null),
  at("session/b/run/r10", "session/b"),
  at("session/b/run/r9", "session/b", "waiting"),
  at("system", null),
  at("session/a", null),
];
const unfolded = { isFolded: () => false };
const shape = (rows: ReturnType<typeof treeOf>) =>
  rows.map(
    ({ address, depth, below, isFolded }) =>
      `${"  ".repeat(depth)}${address} ${below}${isFolded ? " folded" : ""}`,
  );

it("puts children below parents, numbers in their order, and what nobody made below the root", () => {
  expect(shape(treeOf(actors, unfolded))).toEqual([
    "system 2",
    "  session/a 0",
    "  session/b 2",
    "    session/b/run/r9 0",
    "    session/b/run/r10 0",
  ]);
});

it("says how many are below a folded one, at any depth", () => {
  const rows = treeOf(actors, { isFolded: (address) => address === "system" });
  expect(shape(rows)).toEqual(["system 4 folded"]);
});

it("shows what matches with all above it, also where that is folded", () => {
  const rows = treeOf(actors, {
    isFolded: () => true,
    matches: ({ state }) => state === "waiting",
  });
  expect(rows.map(({ address }) => address)).toEqual(["system", "session/b", "session/b/run/r9"]);
});

it("stands a child whose parent is gone below the root, and survives a parent that is its own child", () => {
  const orphan = at("session/c/run/r1", "session/c");
  const loop = at("session/d", "session/d");
  const rows = treeOf([at("system", null), orphan, loop], unfolded);
  expect(rows.map(({ address }) => address)).toEqual(["system", "session/c/run/r1"]);
});
