import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { plantTree, projectRoot } from "./planted-tree.ts";

const report = z.object({
  diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })),
});

/** The rules that a tree with these sources breaks, as `file: rule`. */
function lintFaults(sources: Record<string, string>): string[] {
  const tree = plantTree(sources);
  onTestFinished(tree.remove);
  const oxlint = join(projectRoot, "node_modules/.bin/oxlint");
  const { stdout } = spawnSync(oxlint, ["--type-aware", "--format", "json", "src", "test"], {
    cwd: tree.root,
    encoding: "utf8",
  });
  const { diagnostics } = report.parse(JSON.parse(stdout));
  return diagnostics.map(({ code, filename }) => `${filename}: ${code}`).toSorted();
}

const constants = (count: number): string =>
  Array.from({ length: count }, (_, index) => `export const value${index} = ${index};\n`).join("");

describe("the lint", () => {
  it("lets plain code pass", () => {
    expect(
      lintFaults({ "src/policy/plain.ts": constants(400), "test/plain.test.ts": constants(500) }),
    ).toEqual([]);
  });

  it("refuses files that are too long, each kind by its own measure", () => {
    const faults = lintFaults({
      "src/policy/long.ts": constants(401),
      "src/machines/long.machine.ts": constants(301),
      "test/long.test.ts": constants(501),
    });
    expect(faults).toEqual([
      "src/machines/long.machine.ts: eslint(max-lines)",
      "src/policy/long.ts: eslint(max-lines)",
      "test/long.test.ts: eslint(max-lines)",
    ]);
  });

  it("refuses functions that are too long, too deep or take too much", () => {
    const body = "  total += 1;\n".repeat(60);
    const faults = lintFaults({
      "src/app/long.ts": `export function long(total: number): number {\n${body}  return total;\n}\n`,
      "src/app/many.ts":
        "export const many = (a: number, b: number, c: number, d: number): number => a + b + c + d;\n",
      "src/app/deep.ts":
        "export function deep(a: boolean[]): number {\n  for (const b of a) { if (b) { while (a.pop() === true) { if (a.length > 2) return 1; } } }\n  return 0;\n}\n",
    });
    expect(faults).toEqual([
      "src/app/deep.ts: eslint(max-depth)",
      "src/app/long.ts: eslint(max-lines-per-function)",
      "src/app/many.ts: eslint(max-params)",
    ]);
  });

  it.each([
    ["Date.now()", "const at = Date.now();"],
    ["Math.random()", "const at = Math.random();"],
    ["new Date()", "const at = new Date().getTime();"],
    ["setTimeout", "const at = setTimeout(() => undefined, 1);"],
    ["process", "const at = process.pid;"],
  ])("refuses %s in each layer that must be pure, and only there", (_, line) => {
    const source = `export function read(): unknown {\n  ${line}\n  return at;\n}\n`;
    const layers = ["engine", "gateway", "machines", "memory", "policy", "prompt"];
    const files = [...layers, "adapters"].map((layer) => [`src/${layer}/read.ts`, source]);
    expect(lintFaults(Object.fromEntries(files))).toEqual(
      layers.map((layer) => `src/${layer}/read.ts: statehive(no-impurity)`),
    );
  });

  it("lets a pure layer make a date from a given time", () => {
    const source = "export const day = (at: number): string => new Date(at).toISOString();\n";
    expect(lintFaults({ "src/memory/day.ts": source })).toEqual([]);
  });

  it("lets only config read the environment", () => {
    const source = `export const home = process.env["HOME"];\n`;
    expect(lintFaults({ "src/app/home.ts": source, "src/config/home.ts": source })).toEqual([
      "src/app/home.ts: node(no-process-env)",
    ]);
  });

  it("refuses any, default exports, output outside the command line, and promises nobody awaits", () => {
    const faults = lintFaults({
      "src/app/any.ts": "export const any = (value: any): unknown => value;\n",
      "src/app/exported.ts": "const one = 1;\nexport default one;\n",
      "src/app/output.ts": `export const say = (): void => console.log("hello");\n`,
      "src/cli/output.ts": `export const say = (): void => console.log("hello");\n`,
      "src/app/promise.ts":
        "export function start(work: () => Promise<void>): void {\n  work();\n}\n",
    });
    expect(faults).toEqual([
      "src/app/any.ts: typescript(no-explicit-any)",
      "src/app/exported.ts: import(no-default-export)",
      "src/app/output.ts: eslint(no-console)",
      "src/app/promise.ts: typescript(no-floating-promises)",
    ]);
  });

  it("keeps from the terminal what nobody cleaned: no claims, no sequences, no way past the canvas", () => {
    const lines: Record<string, string> = {
      "views/clean": "safe(text)",
      "views/claim": "text as SafeText",
      "views/double-claim": "text as unknown as SafeText",
      "views/angles": "(<SafeText>text)",
      "views/many": "[text] as unknown as readonly SafeText[]",
      "views/check": "((each: unknown): each is SafeText => each === text)",
      "views/call": "own(Object.assign([text], { raw: [text] }))",
      "views/alias": "[own, text]",
      "views/escape": '"\\u001b[2J" + text',
      "views/own-escape": "[own`\\u001b[2J`, text]",
      "views/write": "process.stdout.write(text)",
      "views/blessed": '[import("blessed"), text]',
      "terminal/layer": '[import("blessed"), process.stdout.write("\\u001b[m"), text]',
      "terminal/claim": "text as SafeText",
    };
    const sources = Object.entries(lines).map(([name, line]) => [
      `src/tui/${name}.ts`,
      `import { own, safe, type SafeText } from "../frame/safe-text.ts";
export const words: SafeText[] = [own\`ours\`, safe("theirs")];
export const made = (text: string): unknown => ${line};
`,
    ]);
    const faults = lintFaults({
      ...Object.fromEntries(sources),
      "src/cli/early.ts":
        'import { words } from "../tui/views/clean.ts";\nexport const early = words;\n',
      "src/cli/late.ts":
        'import type { SafeText } from "../tui/frame/safe-text.ts";\nexport const late = async (): Promise<SafeText[]> => (await import("../tui/views/clean.ts")).words;\n',
      "src/tui/frame/safe-text.ts": `declare const isSafe: unique symbol;
export type SafeText = string & { readonly [isSafe]: true };
export const safe = (text: string): SafeText => text as SafeText;
export const own = (words: TemplateStringsArray): SafeText => safe(String.raw(words));
`,
    });
    expect(faults.filter((fault) => fault.includes("statehive("))).toEqual([
      "src/cli/early.ts: statehive(blessed-in-its-place)",
      "src/tui/terminal/claim.ts: statehive(safe-text-by-cleaning)",
      "src/tui/views/alias.ts: statehive(safe-text-by-cleaning)",
      "src/tui/views/angles.ts: statehive(safe-text-by-cleaning)",
      "src/tui/views/blessed.ts: statehive(blessed-in-its-place)",
      "src/tui/views/call.ts: statehive(safe-text-by-cleaning)",
      "src/tui/views/check.ts: statehive(safe-text-by-cleaning)",
      "src/tui/views/claim.ts: statehive(safe-text-by-cleaning)",
      "src/tui/views/double-claim.ts: statehive(safe-text-by-cleaning)",
      "src/tui/views/escape.ts: statehive(no-terminal-sequences)",
      "src/tui/views/many.ts: statehive(safe-text-by-cleaning)",
      "src/tui/views/own-escape.ts: statehive(no-terminal-sequences)",
      "src/tui/views/write.ts: statehive(no-terminal-sequences)",
    ]);
  });
});
