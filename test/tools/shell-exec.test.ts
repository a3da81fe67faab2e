import { describe, expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import {
  createScriptedSandbox,
  type ScriptedProgram,
} from "../../src/adapters/sandbox/scripted-sandbox.ts";
import type { SandboxEnd } from "../../src/ports/sandbox.ts";
import { shellExecTool } from "../../src/tools/shell-exec.ts";
import { sha256 } from "../contracts/sandbox.contract.ts";
import { toolContext } from "./tool-context.ts";

function contextOf(program: ScriptedProgram, files = createMemoryFiles({ "src/a.ts": "" })) {
  const sandbox = createScriptedSandbox(() => program);
  return { ...toolContext({ files, sandbox }), sandbox, files };
}

async function outputOf(program: ScriptedProgram): Promise<string> {
  const result = await shellExecTool.run({ command: "ls" }, contextOf(program));
  expect(result.is_error).toBe(false);
  return result.output;
}

describe("shell_exec", () => {
  it("runs a literal command as its words, everything else in a shell", async () => {
    const context = contextOf({});
    await shellExecTool.run({ command: "ls -la 'my files'" }, context);
    await shellExecTool.run({ command: "ls | wc -l", cwd: "./src/", timeout_ms: 500 }, context);
    expect(context.sandbox.begun).toEqual([
      {
        program: { kind: "argv", argv: ["/usr/bin/ls", "-la", "my files"] },
        directory: ".",
        sealed: [],
        deadlineMs: 60_000,
        maxOutputBytes: 16_777_216,
      },
      {
        program: { kind: "shell", text: "ls | wc -l" },
        directory: "src",
        sealed: [],
        deadlineMs: 500,
        maxOutputBytes: 16_777_216,
      },
    ]);
  });

  it("H10: hands the hashes of what it runs to the sandbox, and holds a script that is all that it runs", async () => {
    const files = new Map([
      ["x.py", "1"],
      ["src/run.sh", "2"],
    ]);
    const sandbox = createScriptedSandbox(() => ({}), { files });
    const context = { ...contextOf({}), sandbox };
    for (const input of [
      { command: "python3 x.py run.sh" },
      { command: "./run.sh x.py", cwd: "src" },
      { command: "timeout 5 python3 x.py" },
      { command: "python3 x.py && cat src/run.sh" },
      { command: "cat x.py" },
    ])
      await shellExecTool.run(input, context);
    const x = { path: "x.py", sha256: sha256("1") };
    expect(sandbox.begun.map(({ sealed }) => sealed)).toEqual([
      [{ ...x, isHeld: true }],
      [{ path: "./run.sh", sha256: sha256("2"), isHeld: true }],
      [{ ...x, isHeld: false }],
      [{ ...x, isHeld: false }],
      [],
    ]);
  });

  it("shows the output and the exit code, which is no fault of the tool", async () => {
    expect(await outputOf({ output: "a\nb\n" })).toBe("a\nb\n\n[exit code 0]");
    expect(await outputOf({ output: "no", end: { kind: "exited", code: 2 } })).toBe(
      "no\n\n[exit code 2]",
    );
    expect(await outputOf({})).toBe("[no output; exit code 0]");
  });

  it.each([
    [{ kind: "exited", code: 139 }, "exit code 139, as after SIGSEGV"],
    [
      { kind: "timed_out" },
      "it ran longer than 60000 ms: it was killed; what it had done by then stays",
    ],
    [
      { kind: "over_limit", limit: "256 processes" },
      "it used more than 256 processes: it was killed; what it had done by then stays",
    ],
    [
      { kind: "killed", signal: "SIGKILL" },
      "it was ended from outside by SIGKILL; what it had done by then stays",
    ],
  ] satisfies readonly (readonly [SandboxEnd, string])[])("says of %j: %s", async (end, note) => {
    expect(await outputOf({ output: "x\n", end })).toBe(`x\n\n[${note}]`);
  });

  it("I03: cuts a long output in its middle and keeps the whole of it where file_read finds it", async () => {
    const lines = Array.from({ length: 9_000 }, (_, index) => `line ${index}\n`).join("");
    const context = contextOf({ output: lines });
    const { output } = await shellExecTool.run({ command: "ls" }, context);
    expect(output.length).toBeLessThan(30_300);
    expect(output.startsWith("line 0\nline 1\n")).toBe(true);
    expect(output.endsWith("line 8999\n\n[exit code 0]")).toBe(true);
    expect(output).toContain(
      `[${lines.length - 30_000} bytes are not shown; the whole output is in .statehive/output/r4-c7-0.txt; file_read reads it in portions, with offset and limit]`,
    );
    const kept = await context.files.read(".statehive/output/r4-c7-0.txt", { maxBytes: 200_000 });
    expect(new TextDecoder().decode(kept.bytes)).toBe(lines);
  });

  it("cuts no character in two", async () => {
    const output = await outputOf({ output: "🦀".repeat(20_000) });
    expect(output).not.toContain("\ufffd");
  });

  it("says so when the output cannot be kept, and when only its start is", async () => {
    const occupied = contextOf(
      { output: "x".repeat(40_000) },
      createMemoryFiles({ ".statehive": "" }),
    );
    const { output } = await shellExecTool.run({ command: "ls" }, occupied);
    expect(output).toContain("the rest could not be kept: .statehive cannot be used");
    const long = await outputOf({ output: "y".repeat(17_000_000) });
    expect(long).toContain("its first 16777216 bytes are in .statehive/output/r4-c7-0.txt");
  });

  it("H12: refuses a directory that is none, is not there or lies outside, and begins nothing", async () => {
    const context = contextOf({});
    for (const [cwd, code] of [
      ["src/a.ts", "file.refused"],
      ["nowhere", "file.not_found"],
      ["../other", "file.outside"],
      ["/etc", "file.outside"],
    ]) {
      const result = await shellExecTool.run({ command: "ls", cwd: cwd as string }, context);
      expect([result.is_error, result.output.split(":")[0]]).toEqual([true, code]);
    }
    expect(context.sandbox.begun).toEqual([]);
  });

  it("refuses to run where there is no sandbox, and says why", async () => {
    expect(await shellExecTool.run({ command: "ls" }, toolContext())).toEqual({
      output: "tool.failed: Commands cannot be run here: There is none here.",
      is_error: true,
    });
  });

  it("begins nothing once it was told to stop, and says when it was stopped in the middle", async () => {
    const context = contextOf({ end: "runs until stopped" });
    const aborted = { code: "activity.aborted" };
    const before = shellExecTool.run(
      { command: "ls" },
      { ...context, signal: AbortSignal.abort() },
    );
    await expect(before).rejects.toMatchObject(aborted);
    expect(context.sandbox.begun).toEqual([]);
    const stop = new AbortController();
    const during = shellExecTool.run({ command: "ls" }, { ...context, signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(during).rejects.toMatchObject(aborted);
  });

  it("H09, H11: shows the whole command to who decides, with what would not be seen", () => {
    const hidden = `ls${" ".repeat(2_000)}\u202e; rm x\r\n`;
    expect(shellExecTool.summary({ command: hidden })).toBe(
      `Run in a shell: ls${" ".repeat(2_000)}\\u{202e}; rm x\\u{d}\\u{a}`,
    );
    expect(shellExecTool.summary({ command: "npm test", cwd: "src" })).toBe("Run in src: npm test");
    expect(shellExecTool.validate({ command: "x".repeat(8_001) })).toMatchObject({ ok: false });
    expect(shellExecTool.validate({ command: "ls\0rm" })).toMatchObject({ ok: false });
  });

  it("H04: takes no environment", () => {
    expect(shellExecTool.validate({ command: "ls", env: { PATH: "." } })).toMatchObject({
      ok: false,
    });
  });
});
