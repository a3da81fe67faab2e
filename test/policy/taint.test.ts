import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manyOthers, origin, userOrigin, withOrigins } from "../../src/policy/origins.ts";
import { carriesTooMuch, leaves, shownOrigins } from "../../src/policy/taint.ts";
import { type LiveGrant, verdict, type VerdictInput } from "../../src/policy/verdict.ts";
import { noTrust, type Trust } from "../../src/schema/contexts/trust.ts";

const both: Trust = { private: ["file:a"], untrusted: ["web:x.org", "web:y.org"] };

function fetching(changes: Partial<VerdictInput> = {}): VerdictInput {
  return {
    tool: { name: "web_fetch", risk: "guarded" },
    capabilities: ["net.fetch:x.org"],
    agent: {
      allow: ["web_fetch"],
      boundary: ["net.fetch:*", "fs.*:**", "shell.exec:*"],
      grant: ["net.fetch:*"],
      deny: [],
      risk: {},
    },
    grants: [],
    trust: both,
    ...changes,
  };
}

function granted(accepted: readonly string[]): LiveGrant {
  return {
    tool: "web_fetch",
    capability: "net.fetch:x.org",
    effect: "allow",
    pin: null,
    accepted,
    scope: "session",
    approval_id: "a1",
  };
}

describe("a call by which something could leave", () => {
  it("is asked about, one class higher, in words that name what was read and whose text is there", () => {
    expect(verdict(fetching())).toEqual({
      verdict: "ask",
      risk: "unsafe",
      reason:
        "The run has read file:a and holds text of web:x.org, web:y.org, which could make it send that on.",
      requested: ["net.fetch:x.org"],
      granted: [],
      proposed_grants: ["net.fetch:x.org"],
    });
  });

  it("runs with only one of the two", () => {
    for (const trust of [noTrust, { ...both, private: [] }, { ...both, untrusted: [] }]) {
      expect(verdict(fetching({ trust }))).toMatchObject({ verdict: "run", risk: "guarded" });
    }
  });

  it("is asked about even where its tool is safe", () => {
    const tool = { name: "web_fetch", risk: "safe" } as const;
    expect(verdict(fetching({ tool }))).toMatchObject({ verdict: "ask", risk: "guarded" });
    expect(verdict(fetching({ tool, trust: noTrust }))).toMatchObject({ verdict: "run" });
  });

  it("runs under a grant that was given in sight of all that is there, and no other", () => {
    const seen = ["web:y.org", "web:x.org", "web:z.org"];
    expect(verdict(fetching({ grants: [granted(seen)] })).verdict).toBe("run");
    for (const accepted of [[], ["web:x.org"], ["web:y.org", "web:z.org"]]) {
      expect(verdict(fetching({ grants: [granted(accepted)] })).verdict).toBe("ask");
    }
  });

  it("is asked about whatever was granted once more hosts spoke than are remembered by name", () => {
    const trust = { ...both, untrusted: [manyOthers] };
    expect(verdict(fetching({ trust, grants: [granted([manyOthers])] })).verdict).toBe("ask");
  });

  it("stays forbidden where it is", () => {
    const agent = { ...fetching().agent, deny: ["net.fetch:x.org"] };
    expect(verdict(fetching({ agent, grants: [granted(both.untrusted)] })).verdict).toBe("deny");
  });
});

it.each([
  ["fs.write:a", false],
  ["memory.read:sessions", false],
  ["memory.write:own", false],
  ["memory.write:shared/concepts", true],
  ["net.fetch:x.org", true],
  ["message.send:tg/1", true],
  ["host.clipboard.read:x", true],
  ["mcp.files.read", true],
  ["what.ever:else", true],
])("%s leaves: %s", (capability, isOutward) => {
  expect(leaves(capability, true)).toBe(isOutward);
});

it("lets a confined command run as granted, and asks about one that reaches the network", () => {
  const tool = { name: "shell_exec", risk: "guarded" } as const;
  const agent = { ...fetching().agent, allow: ["shell_exec"], grant: ["shell.exec:ls"] };
  const command = fetching({ tool, agent, capabilities: ["shell.exec:ls"] });
  expect(verdict({ ...command, isConfined: true })).toMatchObject({ verdict: "run" });
  expect(verdict(command)).toMatchObject({ verdict: "ask", risk: "unsafe" });
});

it("tells with every question whose text is there", () => {
  const trust = { ...both, private: [] };
  expect(verdict(fetching({ trust, mustAsk: "Look." })).reason).toBe(
    "Look. The run holds text of web:x.org, web:y.org.",
  );
  expect(verdict(fetching({ mustAsk: "Look." })).reason).toMatch(/^Look\. The run has read file:a/);
});

it("counts as seen what was shown, and the answer of the very call that was asked about", () => {
  const brings = { private: [], untrusted: ["web:z.org"] };
  expect(shownOrigins(both, brings)).toEqual(["web:x.org", "web:y.org", "web:z.org"]);
  expect(shownOrigins({ ...both, private: [] }, brings)).toEqual([]);
});

it("bounds what is carried out only where strangers had a say", () => {
  expect(carriesTooMuch("x".repeat(2000), noTrust)).toBeUndefined();
  expect(carriesTooMuch("x.org/how-to-brew-a-good-cup-of-green-tea?page=2", both)).toBeUndefined();
  expect(carriesTooMuch("x.org/".repeat(34), both)).toMatch(/^It sends out a text of 204 /);
  expect(carriesTooMuch(`x.org/${"a1B2".repeat(8)}`, both)).toBeDefined();
});

describe("origins", () => {
  it("are one line in which nothing hides, and never two names as one", () => {
    expect(origin("file", "a\u{202e}\nb")).toBe("file:a\\u{202e}\\u{a}b");
    const long = (end: string) => origin("file", `${"x".repeat(4000)}${end}`);
    expect(long("a").length).toBeLessThan(210);
    expect(long("a")).not.toBe(long("b"));
  });

  it("name who speaks over a session, also in a key that is no key", () => {
    expect(userOrigin("session/local:local:cli:ann%20b:main")).toBe("user:ann b");
    expect(userOrigin("session/a:b:c:%zz:e")).toBe("user:%zz");
    expect(userOrigin("session/k")).toBe("user:");
  });

  it("stay few, are never forgotten, and say where some are not told by name", () => {
    const names = fc.array(fc.string({ maxLength: 3 }), { maxLength: 60 });
    const trusts = fc.record({ private: names, untrusted: names });
    fc.assert(
      fc.property(fc.array(trusts, { maxLength: 4 }), (added) => {
        const known = added.reduce(withOrigins, noTrust);
        expect(known.private.length).toBeLessThanOrEqual(16);
        expect(known.untrusted.length).toBeLessThanOrEqual(32);
        const all = new Set(added.flatMap(({ untrusted }) => untrusted));
        const isTold = (each: string) => known.untrusted.includes(each);
        expect([...all].every(isTold) || isTold(manyOthers)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
