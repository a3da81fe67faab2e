import { expect, it } from "vitest";
import { parseFilter } from "../../src/tui/widgets/filter.ts";

const run = { kind: "run", state: "awaiting_tools", agent: "main", text: "Buy Milk" };

it.each([
  ["", true],
  ["  ", true],
  ["milk", true],
  ["MILK buy", true],
  ["state:await", true],
  ["state:await agent:ops", false],
  ["kind:run milk", true],
  ["run:milk", false],
  ["tool:x", false],
  ["12:30", false],
  ["toString:x constructor:y", false],
])("%j matches a waiting run: %s", (text, wanted) => {
  expect(parseFilter(text)(run)).toBe(wanted);
});
