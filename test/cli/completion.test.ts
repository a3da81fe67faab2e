import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { lastPartOf, wordsOf } from "../../src/cli/completion/shell-words.ts";
import type { Results } from "../../src/schema/socket/protocol.ts";
import { homeWith } from "../config/homes.ts";
import { fakeService } from "./support/fake-service.ts";
import { run } from "./support/fake-terminal.ts";
import { sampleApproval, sampleStatus } from "./support/samples.ts";

const main = join(import.meta.dirname, "../../dist/cli/main.js");

/** What is offered for the last of these words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const { code, out, err } = await run(["__complete", "zsh", ...words]);
  expect([code, err]).toEqual([0, ""]);
  return out
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t", 1)[0] ?? "");
}

const approval = (id: string): Results["approvals.list"][number] => ({ ...sampleApproval, id });

describe("what is offered", () => {
  it("are commands, then the commands of a group", async () => {
    expect(await offered("ap")).toEqual(["approvals"]);
    expect(await offered("runs", "")).toEqual(expect.arrayContaining(["list", "show", "cancel"]));
    expect(await offered("nope", "")).toEqual([]);
  });

  it("are options with the choices of their values, also behind =", async () => {
    expect(await offered("machines", "show", "run", "--fo")).toEqual(["--format"]);
    expect(await offered("machines", "show", "run", "--format", "s")).toEqual(["svg"]);
    expect(await offered("machines", "show", "run", "--format=s")).toEqual(["--format=svg"]);
    expect(await offered("--json", "status", "--no")).toEqual(["--no-color"]);
    expect(await offered("chat", "--", "--no")).toEqual([]);
  });

  it("are the shell's own directories for a home", async () => {
    expect(await offered("--home", "")).toEqual([":directories"]);
  });

  it("are the names of machines, tools, providers and shells, with no service", async () => {
    expect(await offered("machines", "show", "ru")).toEqual(["run"]);
    expect(await offered("audit", "query", "--tool", "file_w")).toEqual(["file_write"]);
    expect(await offered("--home", homeWith(), "providers", "test", "")).toEqual(["offline"]);
    expect(await offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  it("are the ids that the service knows, without those that a shell could take for more than a word", async () => {
    const { home } = await fakeService({
      "approvals.list": ["a7", "a8; rm -rf /", "$(reboot)", "a9"].map(approval),
      "status": sampleStatus,
    });
    // A service that does not answer in time is passed over: who waits presses the key again.
    const ids = () => offered("--home", home, "approvals", "allow", "");
    await expect.poll(ids).toEqual(["a7", "a9"]);
    await expect.poll(() => offered("--home", home, "chat", "--agent", "")).toEqual(["main"]);
  });

  it("is nothing where the service is silent, stopped or says what it should not", async () => {
    const silent = await fakeService({ "approvals.list": "silence" });
    const begun = performance.now();
    expect(await offered("--home", silent.home, "approvals", "show", "")).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(await offered("--home", "/nowhere", "runs", "show", "")).toEqual([]);
    expect(await offered("--home", "/nowhere", "providers", "test", "")).toEqual([]);
  });
});

it("reads a line of bash as bash would cut it", () => {
  expect(wordsOf("statehive runs ")).toEqual(["statehive", "runs", ""]);
  expect(wordsOf(`statehive chat -p 'a b' "c \\" d" e\\ f`)).toEqual([
    "statehive",
    "chat",
    "-p",
    "a b",
    'c " d',
    "e f",
  ]);
  expect(lastPartOf("session/local:cli", "\"'><=;|&(:")).toBe("cli");
  expect(lastPartOf("session/local:cli", "\"'><=;|&(")).toBe("session/local:cli");
});

describe("bash", () => {
  const offer = 'COMP_POINT=${#COMP_LINE}; _statehive statehive; echo "${COMPREPLY[@]}"';
  /** A service that does not answer in time is passed over: who waits presses the key again. */
  const offerAgain = `for press in {1..20}; do offered=$(${offer}); [ -n "$offered" ] && break; done; echo "$offered"`;

  function bash(home: string, text: string): Promise<{ out: string; err: string }> {
    const folder = mkdtempSync(join(tmpdir(), "statehive-bash-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, "statehive");
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(program, 0o700);
    const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}`, STATEHIVE_HOME: home };
    const child = spawn("bash", ["--norc", "-c", text], { env, cwd: folder });
    const [out, err]: string[][] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out?.push(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => err?.push(chunk.toString()));
    return new Promise((resolve) =>
      child.once("close", () => resolve({ out: out?.join("") ?? "", err: err?.join("") ?? "" })),
    );
  }

  it("completes with the script, which may be read twice, runs nothing that stands on the line and is silent on faults", async () => {
    const { home } = await fakeService({
      "approvals.list": [approval("a7"), approval("$(touch x)")],
    });
    const lines = [
      "statehive approvals sh",
      "statehive machines show run --format=s",
      "statehive runs show $(touch planted) > planted ",
      "statehive approvals nope ",
    ];
    const script = [
      "source <(statehive completion bash)",
      "source <(statehive completion bash)",
      `COMP_LINE='statehive approvals show '; ${offerAgain}`,
      ...lines.map((line) => `COMP_LINE='${line}'; ${offer}`),
      "ls",
    ].join("\n");
    const { out, err } = await bash(home, script);
    expect(out).toBe("a7\nshow\nsvg\n\n\nstatehive\n");
    expect(err).toBe("");
    expect(existsSync("planted")).toBe(false);
  });
});
