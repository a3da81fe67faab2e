import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  capabilityFault,
  exactPattern,
  matchesCapability,
  pathCapability,
  patternFault,
} from "../../src/policy/capability.ts";

describe("a capability pattern", () => {
  it.each([
    ["api.github.com", "evil-api.github.com"],
    ["api.github.com", "api.github.com.evil.com"],
    ["*.github.com", "evilgithub.com"],
  ])("S12: for the host %s is none for %s", (pattern, host) => {
    expect(matchesCapability(`net.fetch:${pattern}`, `net.fetch:${host}`)).toBe(false);
  });

  it.each([
    ["fs.write:notes/**", "fs.write:notes/todo.md", true],
    ["fs.write:notes/**", "fs.read:notes/todo.md", false],
    ["fs.write:notes/**", "fs.write:notes2/todo.md", false],
    ["fs.write:notes/todo.md", "fs.write:notes/todo.md", true],
    ["fs.write:notes/todo.md", "fs.write:notes/todo.md.bak", false],
    ["fs.write:./notes//", "fs.write:notes", true],
    ["fs.read:**", "fs.read:.", true],
    ["fs.read:.", "fs.read:.", true],
    ["fs.read:*", "fs.read:.", false],
    ["fs.read:/**", "fs.read:etc/passwd", false],
    ["fs.*:**", "fs.read:a", true],
    ["net.fetch:*", "net.fetch:example.com", true],
    ["net.fetch:api.github.com", "net.fetch:api.github.com", true],
    ["net.fetch:*.github.com", "net.fetch:api.github.com", true],
    ["net.fetch:*.GitHub.com", "net.fetch:api.github.com", true],
    ["net.fetch:API.github.com", "net.fetch:api.github.com", true],
    ["net.fetch:*.github.com", "net.fetch:github.com", false],
    ["net.fetch:*.github.com", "net.fetch:.github.com", false],
    ["shell.exec:*", "shell.exec:git status", true],
    ["shell.exec:**", "shell.exec:git status", true],
    ["shell.exec:git *", "shell.exec:git status", false],
    ["shell.exec:git", "shell.exec:git status", false],
    ["shell.exec:*.sh", "shell.exec:a.sh", false],
    ["mcp.files.read", "mcp.files.read", true],
    ["mcp.files.*", "mcp.files.read", true],
    ["mcp.files.*", "mcp.other.read", false],
    ["mcp.*", "mcp.files.read", false],
    ["*", "fs.read:a", false],
    ["*:*", "fs.read:a", false],
    ["fs.read", "fs.read:a", false],
    ["net.fetch:*", "net.fetch", false],
    ["mcp.files.read", "mcp.files.read:x", false],
  ])("%s covers %s: %s", (pattern, capability, expected) => {
    expect(matchesCapability(pattern, capability)).toBe(expected);
  });

  it.each([
    ["outside", "../x"],
    ["absolute", "/etc/passwd"],
    ["through the parent", "a/../b"],
    ["with a double slash", "a//b"],
    ["with a final slash", "a/"],
    ["with a dot", "./a"],
    ["with NUL", "a\0b"],
    ["that is empty", ""],
    ["of 6,000 characters", "x/".repeat(3000)],
  ])("P01: never covers a path %s", (_name, path) => {
    for (const pattern of ["fs.read:**", `fs.read:${path}`, "fs.*:**"]) {
      expect(matchesCapability(pattern, `fs.read:${path}`)).toBe(false);
    }
  });

  it("never matches more after it was narrowed", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 1, maxLength: 3 });
    const names = fc.array(name, { minLength: 1, maxLength: 5 });
    const wide = fc.array(fc.oneof(name, fc.constantFrom("*", "**", "a*")), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(wide, names, fc.nat(4), names, (pattern, path, at, replacement) => {
        const index = at % pattern.length;
        const wildcard = pattern[index];
        if (wildcard === undefined || !wildcard.includes("*")) return;
        const narrow =
          wildcard === "**" ? replacement : [wildcard.replaceAll("*", replacement[0] ?? "a")];
        const narrowed = pattern.toSpliced(index, 1, ...narrow);
        const capability = `fs.read:${path.join("/")}`;
        const covers = (segments: readonly string[]) =>
          matchesCapability(`fs.read:${segments.join("/")}`, capability);
        expect(covers(narrowed) && !covers(pattern)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("a capability for a path", () => {
  it("names the path in its normal form", () => {
    expect(pathCapability("fs.read", "./notes//a/../b.md")).toBe("fs.read:notes/b.md");
    expect(pathCapability("fs.read", ".")).toBe("fs.read:.");
  });

  it("P01: keeps a path that leads outside as it is, where no pattern covers it", () => {
    expect(pathCapability("fs.read", "../secret.txt")).toBe("fs.read:../secret.txt");
    expect(capabilityFault("fs.read:../secret.txt")).toBe(
      "../secret.txt leads outside the workspace.",
    );
    expect(capabilityFault("fs.read:a/../b")).toBe("a/../b is not in its normal form, b.");
    expect(capabilityFault("fs.read")).toBe("The path is empty.");
    expect(capabilityFault("fs.read:a")).toBeUndefined();
    expect(capabilityFault("net.fetch:../a")).toBeUndefined();
  });
});

describe("the exact pattern of a capability", () => {
  it("covers that capability", () => {
    expect(exactPattern("fs.write:notes/a.md")).toBe("fs.write:notes/a.md");
  });

  it("does not exist for a file whose name reads as a wildcard or for a malformed path", () => {
    expect(exactPattern("fs.write:**")).toBeUndefined();
    expect(exactPattern("fs.write:notes/*.md")).toBeUndefined();
    expect(exactPattern("fs.write:../a")).toBeUndefined();
  });
});

describe("a fault in a pattern", () => {
  it.each([
    "fs.read:**",
    "fs.*:notes/**",
    "net.fetch:*",
    "mcp.files.*",
    "shell.exec:git status",
    "memory.write:own",
  ])("is not seen in %s", (pattern) => {
    expect(patternFault(pattern)).toBeUndefined();
  });

  it.each([
    ["*", "* is no kind of capability; kinds look like fs.read or net.fetch."],
    ["notes/**", "notes/** is no kind of capability; kinds look like fs.read or net.fetch."],
    ["net.fetch:", "Nothing stands after the colon; use * for everything."],
    ["fs.read", "The path is empty."],
    ["fs.read:/etc/**", "/etc/** is absolute; paths are relative to the workspace."],
    ["fs.read:../**", "../** leads outside the workspace."],
    ["fs.read:a/../b", "A pattern may not contain `..`."],
  ])("is told for %s", (pattern, fault) => {
    expect(patternFault(pattern)).toBe(fault);
  });
});
