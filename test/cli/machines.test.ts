import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { run } from "./support/fake-terminal.ts";

it("prints the picture of a machine as it ships, and nothing else", async () => {
  const { code, out, err } = await run(["machines", "show", "tool_call", "--format", "svg"]);
  expect(code).toBe(0);
  expect(err).toBe("");
  expect(out).toBe(readFileSync("docs/machines/tool_call.svg", "utf8"));
});

it("ships the pictures in the package", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  expect(files).toContain("docs/machines/*.svg");
});

it("says which machines there are when asked for another", async () => {
  const { code, err } = await run(["machines", "show", "rum", "--format", "svg"]);
  expect(code).toBe(6);
  expect(err).toContain('There is no machine "rum"; there are: ');
});
