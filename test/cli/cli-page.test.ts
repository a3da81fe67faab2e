import { expect, it } from "vitest";
import { cliDocument } from "../../scripts/generate-cli-docs.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";

it("keeps docs/cli.md as the commands are", async () => {
  const { path, content } = cliDocument();
  await expect(content).toMatchFileSnapshot(`../../${path}`);
});

it("explains every exit code", () => {
  const { content } = cliDocument();
  const missing = Object.values(exitCodes).filter((code) => !content.includes(`| ${code} |`));
  expect(missing).toEqual([]);
});
