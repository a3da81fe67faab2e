import { expect, it } from "vitest";
import type { ShownAudit } from "../../src/schema/socket/protocol.ts";
import { auditInput } from "../../src/text/audit-text.ts";

const poke = (input: unknown) => auditInput({ kind: "poke", input } as ShownAudit);

it("says of what was sent by hand which event went where, and of many refusals how many", () => {
  expect(poke({ event: "run.cancel", address: "session/a", payload: {} })).toBe(
    "run.cancel to session/a",
  );
  expect(poke({ refusals: 440 })).toContain("440");
});
