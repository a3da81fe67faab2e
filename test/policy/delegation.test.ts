import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesCapability } from "../../src/policy/capability.ts";
import { narrowed } from "../../src/policy/delegation.ts";
import { coversPattern, directoryPattern, patternsCovering } from "../../src/policy/pattern.ts";
import { type AgentPolicy, verdict } from "../../src/policy/verdict.ts";

const capabilities = [
  ...["fs.write", "fs.read"].flatMap((kind) =>
    ["a", "b", "a/a", "a/b", "ab/a", "a/b/aab"].map((path) => `${kind}:${path}`),
  ),
  "net.fetch:a.example",
  "net.fetch:b.a.example",
  "net.fetch:other.org",
  "shell.exec:ls",
  "shell.exec:git status",
  "memory.read:sessions",
];
const capability = fc.constantFrom(...capabilities);
const pattern = fc.constantFrom(
  ...capabilities,
  ...["fs.write", "fs.read", "fs.*"].flatMap((kind) =>
    ["**", "*", "a/**", "a/*", "**/b", "a*/*", "*/b/**", "ab/**"].map((path) => `${kind}:${path}`),
  ),
  "net.fetch:*",
  "net.fetch:*.example",
  "net.fetch:*.a.example",
  "shell.exec:*",
);
const patterns = fc.array(pattern, { maxLength: 4 });
const tools = ["file_write", "file_read", "web_fetch", "shell_exec"] as const;
const risk = fc.constantFrom("safe", "guarded", "unsafe");
const risks = fc.dictionary(fc.constantFrom(...tools), risk, { maxKeys: 3, noNullPrototype: true });
const policy: fc.Arbitrary<AgentPolicy> = fc.record({
  allow: fc.subarray([...tools], { minLength: 2 }),
  boundary: fc.array(pattern, { minLength: 2, maxLength: 5 }),
  grant: patterns,
  deny: fc.array(pattern, { maxLength: 1 }),
  risk: risks,
});

describe("a pattern", () => {
  it("covers another one only if it covers all that the other one covers", () => {
    const segments = ["a", "b", "*", "**", "a*", "*b"];
    const paths = ["a", "b", "ab", "a/b", "b/a", "ab/a", "a/a/b", "b/ab/a"];
    const twoOf = segments.flatMap((one) => segments.map((other) => `${one}/${other}`));
    const hosts = ["*", "*.x", "*.a.x", "a.x", "b.a.x", "*.y"].map((host) => `net.fetch:${host}`);
    const all = [
      ...[...segments, ...twoOf].map((path_) => `fs.read:${path_}`),
      "fs.*:**",
      ...hosts,
    ];
    const asked = [
      ...paths.map((path_) => `fs.read:${path_}`),
      ...["a.x", "b.a.x", "c.b.a.x", "a.y", "x"].map((host) => `net.fetch:${host}`),
    ];
    const covering = all.flatMap((wide) =>
      all.filter((narrow) => coversPattern(wide, narrow)).map((narrow) => [wide, narrow] as const),
    );
    const broken = covering.filter(([wide, narrow]) =>
      asked.some((one) => matchesCapability(narrow, one) && !matchesCapability(wide, one)),
    );
    expect(broken).toEqual([]);
    expect(covering.length).toBeGreaterThan(all.length * 2);
  });

  it.each([
    ["fs.*:**", "fs.write:notes/**", true],
    ["fs.write:notes/**", "fs.write:notes/a/*.md", true],
    ["fs.write:notes/*", "fs.write:notes/**", false],
    ["fs.write:notes/**", "fs.*:notes/**", false],
    ["fs.write:notes/**", "fs.write:notes2/a", false],
    ["net.fetch:*.example.com", "net.fetch:*.api.example.com", true],
    ["net.fetch:*.example.com", "net.fetch:example.com", false],
    ["net.fetch:*.example.com", "net.fetch:*", false],
    ["shell.exec:*", "shell.exec:git status", true],
  ])("%s covers %s: %s", (wide, narrow, covers) => {
    expect(coversPattern(wide, narrow)).toBe(covers);
  });

  it("is looked up for a capability only if it covers it, and never for the whole workspace", () => {
    expect(patternsCovering("fs.write:notes/deep/a.md")).toEqual([
      "fs.write:notes/deep/a.md",
      "fs.write:notes/**",
      "fs.write:notes/deep/**",
    ]);
    expect(patternsCovering("fs.write:a.md")).toEqual(["fs.write:a.md"]);
    expect(directoryPattern("fs.write:notes/deep/a.md")).toBe("fs.write:notes/deep/**");
    expect(directoryPattern("fs.write:a.md")).toBeUndefined();
    expect(directoryPattern("net.fetch:a.example")).toBeUndefined();
    expect(patternsCovering(`fs.read:${"d/".repeat(2_000)}a`)).toHaveLength(33);
    fc.assert(
      fc.property(capability, (asked) => {
        expect(patternsCovering(asked).every((each) => matchesCapability(each, asked))).toBe(true);
      }),
    );
  });
});

const strictness = { run: 0, ask: 1, deny: 2 } as const;

/** Of what is asked for, what the parent allows: so that most requests are granted in part. */
function childOf(parent: AgentPolicy, asked: AgentPolicy): AgentPolicy {
  const inside = (kept: readonly string[], wanted: readonly string[]) =>
    [...kept.filter((_, index) => index % 2 === 0), ...wanted].filter((each) =>
      kept.some((wide) => coversPattern(wide, each)),
    );
  const part: Partial<AgentPolicy> = {
    allow: asked.allow.filter((tool) => parent.allow.includes(tool)),
    boundary: inside(parent.boundary, asked.boundary),
    grant: inside(parent.grant, asked.grant),
    deny: asked.deny,
  };
  const withRisk = narrowed(parent, { ...part, risk: asked.risk });
  if (withRisk.ok) return withRisk.policy;
  const plain = narrowed(parent, part);
  return plain.ok ? plain.policy : parent;
}

describe("a narrowed policy", () => {
  it("is never wider than its parent's, in 10 000 trees up to four deep, also when it was stored in between", () => {
    const tree = fc.array(policy, { minLength: 2, maxLength: 5 });
    const tool = fc.record({ name: fc.constantFrom(...tools), risk });
    let narrower = 0;
    fc.assert(
      fc.property(tree, tool, fc.tuple(capability, capability), (all, asked, needed) => {
        const [root, ...rest] = all as [AgentPolicy, ...AgentPolicy[]];
        let parent = root;
        for (const next of rest) {
          const child = JSON.parse(JSON.stringify(childOf(parent, next))) as AgentPolicy;
          const word = (agent: AgentPolicy) =>
            strictness[verdict({ tool: asked, capabilities: needed, agent, grants: [] }).verdict];
          if (word(child) < word(parent)) throw new Error("the child may do more");
          if (word(child) > word(parent)) narrower += 1;
          parent = child;
        }
      }),
      { numRuns: 10_000 },
    );
    expect(narrower).toBeGreaterThan(100);
  });

  const parent: AgentPolicy = {
    allow: ["file_read", "file_write"],
    boundary: ["fs.*:notes/**"],
    grant: ["fs.read:notes/**"],
    deny: ["fs.*:**/.env"],
    risk: { file_write: "guarded" },
  };

  it("names all that goes beyond the parent", () => {
    const asked = {
      allow: ["file_read", "shell_exec"],
      boundary: ["fs.read:notes/a", "fs.read:**"],
      grant: ["fs.write:notes/a"],
      risk: { file_write: "safe", file_read: "guarded" },
    } as const;
    expect(narrowed(parent, asked)).toEqual({
      ok: false,
      faults: [
        "shell_exec is not in the tool list.",
        "fs.read:** is outside the boundary.",
        "fs.write:notes/a is not granted.",
        "file_write may be guarded or stay as it is, not safe.",
        "file_read may be unsafe or stay as it is, not guarded.",
      ],
    });
  });

  it("keeps the parent's deny rules, whatever it asks for", () => {
    const child = narrowed(parent, { boundary: ["fs.read:notes/**"], deny: ["fs.read:notes/b"] });
    expect(child).toEqual({
      ok: true,
      policy: {
        ...parent,
        boundary: ["fs.read:notes/**"],
        deny: ["fs.*:**/.env", "fs.read:notes/b"],
      },
    });
  });
});
