import { expect, it } from "vitest";
import { auditTable } from "../../src/cli/output/audit-table.ts";
import { auditRow } from "../tui/support/audit-of-a-day.ts";

const row = auditRow(3, { input: { path: "x".repeat(100) } });

it("tells of each row why it was decided so", () => {
  const [titles = "", told = ""] = auditTable([row], undefined).split("\n");
  expect(titles).toMatch(/INPUT +WHY$/);
  expect(told).toMatch(/xxx… {2}Guarded; no grant covers fs\.write:todo\.txt; asks\.$/);
});

it("leaves room for it on a terminal, however long the input is", () => {
  const [, told = ""] = auditTable([row], 140).split("\n");
  expect(told).toContain("…  Guarded; no grant covers");
});
