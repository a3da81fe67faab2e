import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relativePath } from "../../src/schema/relative-path.ts";

describe("a relative path", () => {
  it.each([
    [".", "."],
    ["./", "."],
    ["a/..", "."],
    ["a//b/", "a/b"],
    ["./a/./b", "a/b"],
    ["a/../b", "b"],
    ["a/b/../../c", "c"],
    ["...", "..."],
    ["..\\x", "..\\x"],
    ["%2e%2e/x", "%2e%2e/x"],
    ["~/x", "~/x"],
    ["file://x", "file:/x"],
    ["x. ", "x. "],
  ])("%j is %j in its normal form", (path, normal) => {
    expect(relativePath(path)).toMatchObject({ ok: true, path: normal });
  });

  it.each([
    ["", "The path is empty."],
    ["/", "/ is absolute; paths are relative to the workspace."],
    ["//host/x", "//host/x is absolute; paths are relative to the workspace."],
    ["..", ".. leads outside the workspace."],
    ["a/../../b", "a/../../b leads outside the workspace."],
    ["a\0", "The path contains a NUL character."],
    ["\udc00", "The path is not valid Unicode."],
    ["x".repeat(4097), "The path is longer than 4096 characters."],
  ])("refuses %j", (path, message) => {
    expect(relativePath(path)).toEqual({ ok: false, message });
  });

  it("stays as it is once it is normal, and never holds a dot segment", () => {
    const segment = fc.constantFrom("a", "b", ".", "..", "", "...");
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), (parts) => {
        const first = relativePath(parts.join("/"));
        if (!first.ok) return;
        expect(relativePath(first.path)).toEqual(first);
        expect(
          first.segments.filter((name) => name === ".." || name === "." || name === ""),
        ).toEqual([]);
      }),
    );
  });
});
