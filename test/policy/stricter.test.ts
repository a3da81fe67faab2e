import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stricter } from "../../src/policy/stricter.ts";
import { type AgentPolicy, type Verdict, verdict } from "../../src/policy/verdict.ts";

const policy: AgentPolicy = {
  allow: ["file_write"],
  boundary: ["fs.write:**"],
  grant: [],
  deny: [],
  risk: {},
};
const capabilities = ["fs.write:a", "fs.write:b"];
const judged = (changes: Partial<AgentPolicy>): Verdict =>
  verdict({
    tool: { name: "file_write", risk: "guarded" },
    capabilities,
    agent: { ...policy, ...changes },
    grants: [],
  });

describe("two verdicts that both ask", () => {
  it("ask once, and propose what is missing on either side", () => {
    expect(stricter(judged({ grant: ["fs.write:a"] }), judged({ grant: ["fs.write:b"] }))).toEqual({
      verdict: "ask",
      risk: "guarded",
      reason: "Guarded; no grant covers fs.write:b; asks.",
      requested: capabilities,
      granted: [],
      proposed_grants: ["fs.write:b", "fs.write:a"],
    });
  });

  it.each([
    ["now", judged({}), judged({ risk: { file_write: "unsafe" } })],
    ["when the run began", judged({ risk: { file_write: "unsafe" } }), judged({})],
  ])("ask each time, and say so, where the tool is unsafe %s", (_when, pinned, live) => {
    expect(stricter(pinned, live)).toMatchObject({
      verdict: "ask",
      risk: "unsafe",
      reason: expect.stringContaining("Unsafe; asks each time"),
      proposed_grants: [],
    });
  });
});

const patterns = fc.subarray(["fs.write:**", "fs.write:a", "fs.write:b", "fs.write:c"]);
const anyPolicy = fc.record({
  allow: fc.subarray(["file_write"]),
  boundary: patterns,
  grant: patterns,
  deny: patterns,
  risk: fc.constantFrom({}, { file_write: "safe" } as const, { file_write: "unsafe" } as const),
});
const order = ["run", "ask", "deny"];

it("is never laxer than either, and gives nothing that one of them does not give", () => {
  fc.assert(
    fc.property(anyPolicy, anyPolicy, (one, other) => {
      const [pinned, live] = [judged(one), judged(other)];
      const both = stricter(pinned, live);
      const expected = Math.max(order.indexOf(pinned.verdict), order.indexOf(live.verdict));
      expect(order.indexOf(both.verdict)).toBe(expected);
      for (const capability of both.granted) {
        expect(pinned.granted).toContain(capability);
        expect(live.granted).toContain(capability);
      }
    }),
  );
});

it("asks for grants that, once given, let the call run", () => {
  fc.assert(
    fc.property(anyPolicy, anyPolicy, (one, other) => {
      const both = stricter(judged(one), judged(other));
      if (both.proposed_grants.length === 0) return;
      const given = (changes: Partial<AgentPolicy>) =>
        judged({ ...changes, grant: [...(changes.grant ?? []), ...both.proposed_grants] });
      expect(stricter(given(one), given(other)).verdict).toBe("run");
    }),
  );
});
