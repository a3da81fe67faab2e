import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { faults } from "../long/planted-faults/faults.ts";

/** The table of test/long/planted-faults.test.ts, which takes a while, stays true. */

const engine = fileURLToPath(new URL("../../src/engine/", import.meta.url));

it.each(Object.entries(faults))("can be planted: %s", (_what, { file, line }) => {
  expect(readFileSync(engine + file, "utf8").split(line)).toHaveLength(2);
});
