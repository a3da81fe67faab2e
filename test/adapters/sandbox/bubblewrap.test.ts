import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  createBubblewrapSandbox,
  createMissingSandbox,
} from "../../../src/adapters/sandbox/bubblewrap.ts";
import { bubblewrapOptions } from "../../../src/adapters/sandbox/bubblewrap-options.ts";
import { limited, systemPath } from "../../../src/adapters/sandbox/program-surroundings.ts";
import { commandOf, describeSandboxContract, textOf } from "../../contracts/sandbox.contract.ts";
import { bubblewrap, createSandboxed, processesWith } from "./sandboxed.ts";
import { nonce } from "../../support/nonce.ts";

const adapters = new URL("../../../dist/adapters/sandbox/", import.meta.url).href;
const never = new AbortController().signal;

describe.skipIf(!bubblewrap.ok)("bubblewrap", () => {
  describeSandboxContract("bubblewrap", {
    create: () => {
      const { sandbox, inside } = createSandboxed();
      writeFileSync(inside("src/a.txt"), "hello");
      return Promise.resolve(sandbox);
    },
  });

  it("reads and writes the workspace", async () => {
    const { sh, inside } = createSandboxed();
    writeFileSync(inside("a.txt"), "hello\n");
    expect(textOf(await sh("cat a.txt && echo new > src/b.txt"))).toBe("hello\n");
    expect(readFileSync(inside("src/b.txt"), "utf8")).toBe("new\n");
  });

  it("gives each run an empty /tmp", async () => {
    const { sh } = createSandboxed();
    await sh("echo left > /tmp/left");
    expect(textOf(await sh("ls -A /tmp"))).toBe("");
    expect(existsSync("/tmp/left")).toBe(false);
  });

  it("lets a script write to /dev/stdout and /dev/stderr", async () => {
    const { sh } = createSandboxed();
    expect(textOf(await sh("echo a >/dev/stderr; echo b >/dev/stdout"))).toBe("a\nb\n");
  });

  it("gives programs no input", async () => {
    expect(textOf(await createSandboxed().sh("cat; echo end"))).toBe("end\n");
  });

  it("tells a program that a signal ended by its code", async () => {
    expect((await createSandboxed().sh("kill -SEGV $$")).end).toEqual({
      kind: "exited",
      code: 139,
    });
  });

  it("hands words over as they are", async () => {
    const { sandbox } = createSandboxed();
    const argv = ["printf", "<%s>", "a b", "$HOME", "*", "", "'", "-c", "x\ny", "ä🦀"];
    const result = await sandbox.run(commandOf({ kind: "argv", argv }), never);
    expect(textOf(result)).toBe("<a b><$HOME><*><><'><-c><x\ny><ä🦀>");
  });

  it("H13: ends what a command left in the background, as soon as the command ends", async () => {
    const marker = nonce();
    const { sh } = createSandboxed();
    const result = await sh(`setsid sleep 1${marker} >/dev/null 2>&1 & sleep 2${marker} & echo ok`);
    expect(textOf(result)).toBe("ok\n");
    expect(processesWith(marker)).toEqual([]);
  });

  it("leaves no process behind when it is stopped, whenever that is", async () => {
    const marker = nonce();
    const { sandbox } = createSandboxed();
    const command = commandOf({
      kind: "shell",
      text: `setsid sleep 1${marker} & sleep 2${marker}`,
    });
    const ends = [0, 1, 3, 6, 10, 15, 20, 30, 60, 200].map(async (afterMs) => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), afterMs);
      return sandbox.run(command, stop.signal).catch((error: { code: string }) => error.code);
    });
    expect(new Set(await Promise.all(ends))).toEqual(new Set(["activity.aborted"]));
    expect(processesWith(marker)).toEqual([]);
  });

  it("leaves no process behind when its service is killed, whenever that is, once the next one has begun", async () => {
    const marker = nonce();
    const text = `setsid sleep 1${marker} & sleep 2${marker}`;
    const command = {
      program: { kind: "shell", text },
      directory: ".",
      sealed: [],
      deadlineMs: 60_000,
    };
    const script = `
      const { createBubblewrapSandbox } = await import("${adapters}bubblewrap.js");
      const bubblewrap = ${JSON.stringify(bubblewrap)};
      const sandbox = createBubblewrapSandbox({ workspace: "/usr/share", bubblewrap });
      process.stdout.write("ready");
      await sandbox.run(${JSON.stringify({ ...command, maxOutputBytes: 99 })}, new AbortController().signal);`;
    const killAfter = async (afterMs: number) => {
      const service = spawn(process.execPath, ["--input-type=module", "-e", script]);
      await once(service.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      service.kill("SIGKILL");
      await once(service, "exit");
    };
    for (const afterMs of [1, 4, 6, 8, 10, 12, 14, 17, 20, 25, 40, 100]) await killAfter(afterMs);
    while (processesWith(marker).length > 0) {
      createBubblewrapSandbox({ workspace: "/usr/share", bubblewrap });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(processesWith(marker)).toEqual([]);
  });

  it("says that it could not be made, when its directory is not there", async () => {
    const { sh } = createSandboxed();
    await expect(sh("true", { directory: "nowhere" })).rejects.toMatchObject({
      code: "tool.failed",
      message: expect.stringContaining("The sandbox could not be made: bwrap: Can't chdir"),
    });
  });

  it.runIf(process.getuid?.() === 0)("works for a plain user as it does for root", () => {
    if (!bubblewrap.ok) throw new Error(bubblewrap.reason);
    const options = bubblewrapOptions({ ...bubblewrap, directory: "/workspace" });
    const plain = ["--reuid=65534", "--regid=65534", "--clear-groups", "bwrap"];
    const id = execFileSync("setpriv", [...plain, ...options, "--", ...limited(["id", "-u"])], {
      env: { PATH: systemPath },
    });
    expect(id.toString()).toBe("1000\n");
  });
});

it("works on this machine; where it does not, its tests are skipped for the reason told here", ({
  skip,
}) => {
  if (!bubblewrap.ok) skip(bubblewrap.reason);
  expect(bubblewrap.ok).toBe(true);
});

it("refuses to run anything where bubblewrap is not there, and says what to do", async () => {
  const reason = "bubblewrap is not installed. Install it.";
  for (const sandbox of [
    createMissingSandbox(reason),
    createBubblewrapSandbox({ workspace: "/", bubblewrap: { ok: false, reason } }),
  ]) {
    expect(sandbox.available()).toEqual({ ok: false, reason });
    const run = sandbox.run(commandOf({ kind: "argv", argv: ["true"] }), never);
    await expect(run).rejects.toMatchObject({ code: "tool.failed", message: reason });
  }
});
