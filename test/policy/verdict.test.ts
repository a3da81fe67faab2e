import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentPolicy, VerdictInput } from "../../src/policy/verdict.ts";
import { isPermissible, verdict, type LiveGrant } from "../../src/policy/verdict.ts";

const agent: AgentPolicy = {
  allow: ["file_read", "file_write", "shell_exec", "ask_user"],
  boundary: ["fs.read:**", "fs.write:**", "shell.exec:*"],
  grant: ["fs.read:**", "fs.write:drafts/**"],
  deny: ["fs.*:**/.env"],
  risk: {},
};

function writing(path: string, changes: Partial<VerdictInput> = {}): VerdictInput {
  return {
    tool: { name: "file_write", risk: "guarded" },
    capabilities: [`fs.write:${path}`],
    agent,
    grants: [],
    ...changes,
  };
}

function granted(capability: string, tool: string): LiveGrant {
  return {
    capability,
    tool,
    effect: "allow",
    pin: null,
    accepted: [],
    scope: "session",
    approval_id: "a7",
  };
}

describe("verdict", () => {
  it("runs a safe tool inside the boundary", () => {
    const input = writing("a", {
      tool: { name: "file_read", risk: "safe" },
      capabilities: ["fs.read:a"],
    });
    expect(verdict(input)).toEqual({
      verdict: "run",
      risk: "safe",
      reason: "Safe; runs.",
      requested: ["fs.read:a"],
      granted: ["fs.read:a"],
      proposed_grants: [],
    });
  });

  it("asks before a guarded tool and proposes exactly this path", () => {
    expect(verdict(writing("notes/a.md"))).toEqual({
      verdict: "ask",
      risk: "guarded",
      reason: "Guarded; no grant covers fs.write:notes/a.md; asks.",
      requested: ["fs.write:notes/a.md"],
      granted: [],
      proposed_grants: ["fs.write:notes/a.md"],
    });
  });

  it("runs a guarded tool under the agent's own grant", () => {
    expect(verdict(writing("drafts/a.md"))).toEqual({
      verdict: "run",
      risk: "guarded",
      reason: "Guarded; granted by fs.write:drafts/** of the agent.",
      requested: ["fs.write:drafts/a.md"],
      granted: ["fs.write:drafts/a.md"],
      proposed_grants: [],
    });
  });

  it("runs a guarded tool under a live grant for this tool, and not under another tool's", () => {
    const grant = granted("fs.write:notes/a.md", "file_write");
    expect(verdict(writing("notes/a.md", { grants: [grant] })).verdict).toBe("run");
    expect(verdict(writing("notes/b.md", { grants: [grant] })).verdict).toBe("ask");
    expect(
      verdict(writing("notes/a.md", { grants: [{ ...grant, tool: "file_edit" }] })).verdict,
    ).toBe("ask");
  });

  it("asks when a grant covers only a part, and proposes the rest", () => {
    const capabilities = ["fs.write:drafts/a", "fs.write:notes/b"];
    expect(verdict(writing("", { capabilities }))).toMatchObject({
      verdict: "ask",
      granted: ["fs.write:drafts/a"],
      proposed_grants: ["fs.write:notes/b"],
    });
  });

  it("asks about a guarded tool that names no capability", () => {
    expect(verdict(writing("", { capabilities: [] }))).toMatchObject({
      verdict: "ask",
      reason: "Guarded; it names no capability that could be granted; asks.",
      proposed_grants: [],
    });
  });

  it("runs a safe tool that touches nothing", () => {
    const input = writing("", { tool: { name: "ask_user", risk: "safe" }, capabilities: [] });
    expect(verdict(input).verdict).toBe("run");
  });

  it("proposes no grant for a file whose name reads as a wildcard", () => {
    expect(verdict(writing("**"))).toMatchObject({ verdict: "ask", proposed_grants: [] });
  });

  it("asks about an unsafe tool each time, whatever is granted, and proposes nothing", () => {
    const tool = { name: "shell_exec", risk: "unsafe" } as const;
    const grants = [granted("shell.exec:*", "shell_exec")];
    const open = { ...agent, grant: ["shell.exec:*"] };
    expect(verdict({ tool, capabilities: ["shell.exec:git status"], agent: open, grants })).toEqual(
      {
        verdict: "ask",
        risk: "unsafe",
        reason: "Unsafe; asks each time.",
        requested: ["shell.exec:git status"],
        granted: [],
        proposed_grants: [],
      },
    );
  });

  it("asks about shell text whatever the agent's class and grants, and proposes nothing", () => {
    for (const risk of ["safe", "guarded", "unsafe"] as const) {
      const open = { ...agent, boundary: ["shell.exec:*"], grant: ["shell.exec:*"] };
      const shell = { ...open, allow: ["shell_exec"], risk: { shell_exec: risk } };
      const given = verdict({
        tool: { name: "shell_exec", risk: "unsafe" },
        capabilities: ["shell.exec:sh -c"],
        agent: shell,
        grants: [granted("shell.exec:*", "shell_exec")],
        onlyThisCall: "env runs what its arguments say",
      });
      expect(given).toMatchObject({ verdict: "ask", risk: "unsafe", proposed_grants: [] });
      expect(given.reason).toBe(
        risk === "unsafe"
          ? "Unsafe; asks each time."
          : "Unsafe, as env runs what its arguments say; asks each time.",
      );
    }
  });

  it("runs a literal command under a grant where the agent has made the shell guarded", () => {
    const shell = {
      ...agent,
      allow: ["shell_exec"],
      boundary: ["shell.exec:*"],
      grant: ["shell.exec:git status"],
      risk: { shell_exec: "guarded" } as const,
    };
    const judge = (capability: string, changes: Partial<VerdictInput> = {}) =>
      verdict({
        tool: { name: "shell_exec", risk: "unsafe" },
        capabilities: [capability],
        agent: shell,
        grants: [],
        ...changes,
      });
    expect(judge("shell.exec:git status")).toMatchObject({ verdict: "run" });
    expect(judge("shell.exec:ls")).toMatchObject({ verdict: "ask", proposed_grants: [] });
    expect(judge("shell.exec:ls", { pin: "a.b" })).toMatchObject({
      verdict: "ask",
      proposed_grants: ["shell.exec:ls"],
    });
    const ls = granted("shell.exec:ls", "shell_exec");
    const pinned = { ...ls, pin: "a.b" };
    expect(judge("shell.exec:ls", { pin: "a.b", grants: [pinned] }).verdict).toBe("run");
    expect(judge("shell.exec:ls", { pin: "a.c", grants: [pinned] }).verdict).toBe("ask");
    expect(judge("shell.exec:ls", { grants: [pinned] }).verdict).toBe("ask");
    expect(judge("shell.exec:ls", { pin: "a.b", grants: [ls] }).verdict).toBe("ask");
    expect(judge("shell.exec:ls", { grants: [ls] }).verdict).toBe("ask");
  });

  it("says why it asks again where a grant was given for other files", () => {
    const agentOf = { ...agent, risk: { shell_exec: "guarded" } as const };
    const judge = (grant: string, changes: Partial<VerdictInput>) =>
      verdict({
        tool: { name: "shell_exec", risk: "unsafe" },
        capabilities: ["shell.exec:python3 x.py"],
        agent: agentOf,
        grants: [{ ...granted("shell.exec:python3 x.py", "shell_exec"), pin: grant }],
        ...changes,
      }).reason;
    const changed = "x.py has changed since it was allowed";
    expect(judge("a.b", { pin: "a.c", changed })).toBe(`Guarded; ${changed}; asks.`);
    const uncovered = "Guarded; no grant covers shell.exec:python3 x.py;";
    expect(judge("b.b", { pin: "a.c", changed })).toBe(`${uncovered} asks.`);
    expect(judge("a.b", { onlyThisCall: "x.py is a link" })).toBe(
      `${uncovered} only this call can be allowed: x.py is a link; asks.`,
    );
  });

  it("tells what neither a deny rule nor the boundary forbids", () => {
    const rules = { boundary: ["fs.read:notes/**"], deny: ["fs.read:**/.env"] };
    expect(isPermissible(rules, "fs.read:notes/a.md")).toBe(true);
    expect(isPermissible(rules, "fs.read:notes/.env")).toBe(false);
    expect(isPermissible(rules, "fs.read:a.md")).toBe(false);
  });

  it("takes the agent's risk class for a tool before the tool's own", () => {
    const stricter = { ...agent, risk: { file_write: "unsafe" as const } };
    expect(verdict(writing("drafts/a", { agent: stricter })).verdict).toBe("ask");
    const milder = { ...agent, risk: { file_write: "safe" as const } };
    expect(verdict(writing("notes/a", { agent: milder })).verdict).toBe("run");
  });

  it("takes no risk class from a prototype", () => {
    const tool = { name: "constructor", risk: "unsafe" } as const;
    const input = writing("a", { tool, agent: { ...agent, allow: ["constructor"] } });
    expect(verdict(input)).toMatchObject({ verdict: "ask", risk: "unsafe" });
  });

  it.each([
    [
      "a deny rule, even before the tool list",
      writing(".env", { tool: { name: "x", risk: "safe" } }),
      "Denied: the deny rule fs.*:**/.env of the agent covers fs.write:.env.",
    ],
    [
      "a deny rule, though granted",
      writing("drafts/.env"),
      "Denied: the deny rule fs.*:**/.env of the agent covers fs.write:drafts/.env.",
    ],
    [
      "a tool that is not on the list",
      writing("a", { tool: { name: "file_edit", risk: "safe" } }),
      "Denied: the agent's tool list does not have file_edit.",
    ],
    [
      "I04: a variant of a tool's name",
      writing("a", { tool: { name: "File_Write", risk: "safe" } }),
      "Denied: the agent's tool list does not have File_Write.",
    ],
    [
      "a capability outside the boundary",
      writing("", { capabilities: ["net.fetch:a.example"] }),
      "Denied: net.fetch:a.example is outside the agent's boundary.",
    ],
    [
      "P01: a path that leads outside",
      writing("../secret.txt"),
      "Denied: ../secret.txt leads outside the workspace.",
    ],
    [
      "P01: an absolute path",
      writing("/etc/passwd"),
      "Denied: /etc/passwd is absolute; paths are relative to the workspace.",
    ],
  ])("denies %s", (_name, input, reason) => {
    expect(verdict(input)).toEqual({
      verdict: "deny",
      risk: input.tool.risk,
      reason,
      requested: input.capabilities,
      granted: [],
      proposed_grants: [],
    });
  });

  it("denies one denied capability among granted ones", () => {
    expect(
      verdict(writing("", { capabilities: ["fs.write:drafts/a", "fs.write:x/.env"] })).verdict,
    ).toBe("deny");
  });

  it("never runs more when a rule is taken away from the grants or added to the denials", () => {
    const order = { deny: 0, ask: 1, run: 2 };
    const path = fc
      .array(fc.constantFrom("a", "b", ".env"), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join("/"));
    const pattern = fc.constantFrom(
      "fs.write:**",
      "fs.write:a/**",
      "fs.write:a/*",
      "fs.write:b",
      "fs.*:**/.env",
    );
    const patterns = fc.array(pattern, { maxLength: 3 });
    const policy = fc.record({ boundary: patterns, grant: patterns, deny: patterns });
    fc.assert(
      fc.property(policy, path, pattern, (rules, file, extra) => {
        const judge = (changes: Partial<AgentPolicy>) =>
          order[verdict(writing(file, { agent: { ...agent, ...rules, ...changes } })).verdict];
        const asIs = judge({});
        expect(judge({ deny: [...rules.deny, extra] })).toBeLessThanOrEqual(asIs);
        expect(judge({ grant: rules.grant.slice(1) })).toBeLessThanOrEqual(asIs);
        expect(judge({ boundary: rules.boundary.slice(1) })).toBeLessThanOrEqual(asIs);
      }),
      { numRuns: 2000 },
    );
  });
});
