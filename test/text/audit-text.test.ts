import { expect, it } from "vitest";
import type { ShownAudit } from "../../src/schema/socket/protocol.ts";
import { auditInput, auditWhy } from "../../src/text/audit-text.ts";

const poke = (input: unknown) => auditInput({ kind: "poke", input } as ShownAudit);

it("says of what was sent by hand which event went where, and of many refusals how many", () => {
  expect(poke({ event: "run.cancel", address: "session/a", payload: {} })).toBe(
    "run.cancel to session/a",
  );
  expect(poke({ refusals: 440 })).toContain("440");
});

it("tells why something was decided so, and of what ran what went wrong", () => {
  const why = (row: Partial<ShownAudit>) =>
    auditWhy({ reason: null, error: null, ...row } as ShownAudit);
  expect(why({ reason: "Safe; runs." })).toBe("Safe; runs.");
  expect(why({ reason: "Guarded; asks.", error: "approval.changed" })).toBe("Guarded; asks.");
  expect(why({ error: "file.not_found:\nno a.txt" })).toBe("file.not_found:\\nno a.txt");
  expect(why({})).toBe("");
});
