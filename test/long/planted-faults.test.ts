import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fault, faults } from "./planted-faults/faults.ts";

/** Engines with one line changed, each of which one named case of the contract must catch. */

const root = fileURLToPath(new URL("../../", import.meta.url));
let tree: string;
let failed: ReadonlyMap<string, ReadonlySet<string>>;

const folderOf = (what: string) => what.replaceAll(/\W+/g, "-");

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), "statehive-planted-"));
  await symlink(join(root, "node_modules"), join(tree, "node_modules"));
  await writeFile(join(tree, "package.json"), '{ "type": "module" }');
  await writeFile(join(tree, "vitest.config.mjs"), "export default {};");
  await plant("nothing", undefined);
  for (const [what, fault] of Object.entries(faults)) await plant(folderOf(what), fault);
  failed = await failedCases();
}, 600_000);

afterAll(() => rm(tree, { recursive: true, force: true }));

async function plant(folder: string, fault: Fault | undefined): Promise<void> {
  for (const path of ["src/engine", "test/contracts", "test/support", "test/engine"]) {
    await mkdir(dirname(join(tree, folder, path)), { recursive: true });
    await cp(join(root, path), join(tree, folder, path), { recursive: true });
  }
  for (const path of ["src/schema", "src/ports", "src/adapters", "src/machines", "src/policy"]) {
    await symlink(join(root, path), join(tree, folder, path));
  }
  if (fault === undefined) return;
  const path = join(tree, folder, "src/engine", fault.file);
  const source = await readFile(path, "utf8");
  expect(source.split(fault.line), `${fault.file} has this line once`).toHaveLength(2);
  await writeFile(
    path,
    source.replace(fault.line, () => fault.instead),
  );
}

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
};

/** Runs the cases that should catch something over all copies, in one process. */
async function failedCases(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const titles = [...new Set(Object.values(faults).map(({ caughtBy }) => caughtBy))];
  const pattern = titles.map((title) => title.replaceAll(/[^\w ]/g, ".")).join("|");
  const report = join(tree, "report.json");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = [
    "--reporter=json",
    `--outputFile=${report}`,
    "--testTimeout=3000",
    "--no-isolate",
  ];
  await new Promise<void>((resolve) => {
    const files = ["run", "memory-engine", "-t", pattern, ...options];
    execFile(process.execPath, [vitest, ...files], { cwd: tree }, () => resolve());
  });
  const { testResults } = JSON.parse(await readFile(report, "utf8")) as Report;
  return new Map(
    testResults.map(({ name, assertionResults }) => {
      const failures = assertionResults.filter(({ status }) => status === "failed");
      return [
        name.slice(tree.length + 1).split("/")[0] ?? "",
        new Set(failures.map(({ title }) => title)),
      ];
    }),
  );
}

it("nothing is caught where nothing was planted", () => {
  expect([...(failed.get("nothing") ?? ["no report"])]).toEqual([]);
});

it.each(Object.keys(faults))("is caught by its case: %s", (what) => {
  expect([...(failed.get(folderOf(what)) ?? [])]).toContain(faults[what]?.caughtBy);
});
