import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createUnconfinedSandbox } from "../../../src/adapters/sandbox/unconfined.ts";
import { commandOf, describeSandboxContract, textOf } from "../../contracts/sandbox.contract.ts";
import { processesWith } from "./sandboxed.ts";
import { nonce } from "../../support/nonce.ts";

/** Commands without walls, on this machine. The contract's paths are those of a sandbox. */

function createPlace() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "statehive-unconfined-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, "src"));
  const sandbox = createUnconfinedSandbox(base);
  const sh = (text: string, changes = {}, signal = new AbortController().signal) =>
    sandbox.run(commandOf({ kind: "shell", text }, changes), signal);
  return { base, sandbox, sh };
}

describeSandboxContract("no sandbox", {
  create: () => {
    const { base, sandbox } = createPlace();
    writeFileSync(join(base, "src/a.txt"), "hello");
    return Promise.resolve({
      ...sandbox,
      run: async (command, signal) => {
        const result = await sandbox.run(command, signal);
        const text = new TextDecoder().decode(result.output.start).replace(base, "/workspace");
        return {
          ...result,
          output: { ...result.output, start: new TextEncoder().encode(text) },
        };
      },
    });
  },
});

it("gives a program the environment of a sandbox, and none of the service's", async () => {
  process.env["STATEHIVE_TEST_SECRET"] = "SECRET";
  onTestFinished(() => void delete process.env["STATEHIVE_TEST_SECRET"]);
  const { base, sh } = createPlace();
  const names = textOf(await sh("env"))
    .replaceAll(/=.*/g, "")
    .trim()
    .split("\n")
    .toSorted();
  expect(names).toEqual(
    ["HOME", "LANG", "NO_COLOR", "PATH", "PWD", "STATEHIVE_CALL", "TERM", "TMPDIR"].toSorted(),
  );
  expect(textOf(await sh("pwd", { directory: "src" }))).toBe(`${base}/src\n`);
});

it("H08: takes programs from the system's path, not from the workspace", async () => {
  const { base, sandbox, sh } = createPlace();
  writeFileSync(join(base, "ls"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
  expect(sandbox.locate("ls")).toMatch(/^\/(usr\/)?bin\/ls$/);
  expect(textOf(await sh("ls"))).toBe("ls\nsrc\n");
});

it("H12: begins nothing where a link has taken the place of its directory", async () => {
  const { base, sh } = createPlace();
  symlinkSync("src", join(base, "swapped"));
  await expect(sh("echo ran", { directory: "swapped" })).rejects.toMatchObject({
    code: "tool.failed",
    message: `${base}/swapped is not that directory any more.`,
  });
});

it("ends what a command left in the background, sessions of its own too, when it ends", async () => {
  const marker = nonce();
  const { sh } = createPlace();
  const daemon = `setsid sh -c 'setsid sleep 1${marker} & sleep 2${marker}' >/dev/null 2>&1`;
  expect(textOf(await sh(`${daemon} & sleep 3${marker} & echo ok`))).toBe("ok\n");
  expect(processesWith(marker)).toEqual([]);
});

it("ends all of it when it is stopped or runs past its deadline", async () => {
  const marker = nonce();
  const { sh } = createPlace();
  const text = `echo begun; setsid sleep 1${marker} & sleep 2${marker}`;
  expect((await sh(text, { deadlineMs: 300 })).end).toEqual({ kind: "timed_out" });
  const stop = new AbortController();
  const stopped = sh(text, {}, stop.signal);
  setTimeout(() => stop.abort(), 150);
  await expect(stopped).rejects.toMatchObject({ code: "activity.aborted" });
  expect(processesWith(marker)).toEqual([]);
});
