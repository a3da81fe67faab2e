import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquireOwnerLock } from "../../../src/adapters/engine/libsql-lock.ts";

const holder = fileURLToPath(new URL("../../support/lock-holder.ts", import.meta.url));

let directory: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "statehive-lock-"));
  path = join(directory, "owner.lock");
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(directory, { recursive: true });
});

type Holder = { readonly said: string; readonly child: ChildProcess };

async function startHolder(): Promise<Holder> {
  const child = spawn(process.execPath, ["--import", "tsx", holder, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { said: said.toString().trim(), child };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

const inUse = { code: "engine.in_use", retryable: false };

describe("the owner lock", () => {
  it("is held by one at a time within a process", async () => {
    const lock = await acquireOwnerLock(path);
    await expect(acquireOwnerLock(path)).rejects.toMatchObject(inUse);
    await lock.release();
    const next = await acquireOwnerLock(path);
    await next.release();
  });

  it("is released once", async () => {
    const lock = await acquireOwnerLock(path);
    await lock.release();
    const next = await acquireOwnerLock(path);
    await lock.release();
    await expect(acquireOwnerLock(path)).rejects.toMatchObject(inUse);
    await next.release();
  });

  it("refuses a second process at once", async () => {
    const { said, child } = await startHolder();
    expect(said).toBe("held");
    const began = performance.now();
    await expect(acquireOwnerLock(path)).rejects.toMatchObject(inUse);
    expect(performance.now() - began).toBeLessThan(4_000);
    child.stdin?.end();
    await ended(child);
    await (await acquireOwnerLock(path)).release();
  });

  it("is free again when its process is killed", async () => {
    const { child } = await startHolder();
    await expect(acquireOwnerLock(path)).rejects.toMatchObject(inUse);
    child.kill("SIGKILL");
    await ended(child);
    const lock = await acquireOwnerLock(path);
    expect((await startHolder()).said).toBe("engine.in_use");
    await lock.release();
  });

  it("goes to one of three processes that ask at the same time", async () => {
    const answers = await Promise.all([startHolder(), startHolder(), startHolder()]);
    expect(answers.map(({ said }) => said).toSorted()).toEqual([
      "engine.in_use",
      "engine.in_use",
      "held",
    ]);
  });

  it("lies in a file of its owner's alone", async () => {
    const lock = await acquireOwnerLock(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await lock.release();
  });

  it("cannot be taken where there is no directory", async () => {
    const nowhere = join(directory, "none", "owner.lock");
    await expect(acquireOwnerLock(nowhere)).rejects.toMatchObject({ code: "home.invalid" });
    expect(existsSync(nowhere)).toBe(false);
  });
});
