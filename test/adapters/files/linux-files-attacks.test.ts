import { execFileSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { createLinuxFiles } from "../../../src/adapters/files/linux-files.ts";
import type { Files } from "../../../src/ports/files.ts";
import { whileSwapping } from "./swapping.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace, secret } from "./workspace.ts";

const refused = { code: "file.refused" };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function firstChunk(files: Files, path: string): Promise<Uint8Array | undefined> {
  for await (const chunk of files.chunks(path)) return chunk;
  return undefined;
}

async function expectAllRefused(files: Files, path: string): Promise<void> {
  await expect(files.read(path, { maxBytes: 99 })).rejects.toMatchObject(refused);
  await expect(firstChunk(files, path)).rejects.toMatchObject(refused);
  await expect(files.stat(path)).rejects.toMatchObject(refused);
  await expect(files.list(path, { depth: 1, maxEntries: 9 })).rejects.toMatchObject(refused);
  await expect(files.write(path, bytesOf("overwritten"))).rejects.toMatchObject(refused);
  await expect(files.remove(path)).rejects.toMatchObject(refused);
}

function expectUntouched({ outside }: Workspace): void {
  expect(readdirSync(outside("."))).toEqual(["secret.txt"]);
  expect(readFileSync(outside("secret.txt"), "utf8")).toBe(secret);
}

describe("links", () => {
  it("P02: refuses a symbolic link to an outside file, absolute and relative", async () => {
    const workspace = await createWorkspace();
    const { files, inside, outside } = workspace;
    symlinkSync(outside("secret.txt"), inside("absolute"));
    symlinkSync(relative(inside("."), outside("secret.txt")), inside("relative"));
    await expectAllRefused(files, "absolute");
    await expectAllRefused(files, "relative");
    expectUntouched(workspace);
  });

  it("P02: refuses a dangling link instead of creating what it names", async () => {
    const workspace = await createWorkspace();
    symlinkSync(workspace.outside("new.txt"), workspace.inside("dangling"));
    await expectAllRefused(workspace.files, "dangling");
    expectUntouched(workspace);
  });

  it("P02: refuses a link to a file inside as well", async () => {
    const { files, inside } = await createWorkspace({ "a.txt": "a" });
    symlinkSync("a.txt", inside("b.txt"));
    await expectAllRefused(files, "b.txt");
  });

  it("P03: refuses everything below a symbolic link to a directory", async () => {
    const workspace = await createWorkspace();
    const { files, inside, outside } = workspace;
    symlinkSync(outside("."), inside("link"));
    symlinkSync(dirname(outside(".")), inside("up"));
    await expectAllRefused(files, "link/secret.txt");
    await expectAllRefused(files, "up/mount-evil/secret.txt");
    await expect(files.write("link/new/file.txt", bytesOf("x"))).rejects.toMatchObject(refused);
    expectUntouched(workspace);
  });

  it("P05: refuses a file that has a second hard link", async () => {
    const workspace = await createWorkspace();
    linkSync(workspace.outside("secret.txt"), workspace.inside("hard.txt"));
    await expectAllRefused(workspace.files, "hard.txt");
    expectUntouched(workspace);
  });

  it("P08: makes no directory across the border", async () => {
    const workspace = await createWorkspace();
    symlinkSync(workspace.outside("."), workspace.inside("link"));
    for (const path of ["../mount-evil/made/x", "link/made/x", "a/../../mount-evil/made/x"]) {
      await expect(workspace.files.write(path, bytesOf("x"))).rejects.toBeInstanceOf(Error);
    }
    expectUntouched(workspace);
  });

  it("P12: refuses a path that was a file when it was judged and is a link when it is opened", async () => {
    const workspace = await createWorkspace({ "notes/a.txt": "mine" });
    const { files, inside, outside } = workspace;
    expect((await files.stat("notes/a.txt")).kind).toBe("file");
    unlinkSync(inside("notes/a.txt"));
    symlinkSync(outside("secret.txt"), inside("notes/a.txt"));
    await expectAllRefused(files, "notes/a.txt");
    renameSync(inside("notes"), inside("old"));
    symlinkSync(outside("."), inside("notes"));
    await expectAllRefused(files, "notes/secret.txt");
    expectUntouched(workspace);
  });
});

describe("special files", () => {
  it("P07: refuses a FIFO at once", async () => {
    const { files, inside } = await createWorkspace();
    execFileSync("mkfifo", [inside("fifo")]);
    await expectAllRefused(files, "fifo");
  });

  it("P07: refuses a socket", async () => {
    const { files, inside } = await createWorkspace();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(inside("socket"), resolve));
    try {
      await expectAllRefused(files, "socket");
    } finally {
      server.close();
    }
  });

  it("P07: refuses devices and what the kernel shows of a process, even with the whole disk as the root", async () => {
    const files = await createLinuxFiles({ root: "/" });
    await expect(files.read("dev/zero", { maxBytes: 9 })).rejects.toMatchObject(refused);
    await expect(files.read("dev/null", { maxBytes: 9 })).rejects.toMatchObject(refused);
    await expect(files.read(`proc/${process.pid}/environ`, { maxBytes: 9 })).rejects.toMatchObject(
      refused,
    );
    await expect(files.read("proc/self/environ", { maxBytes: 9 })).rejects.toMatchObject(refused);
  });
});

describe("P06: a directory that another thread swaps with a link", () => {
  async function readOnce(files: Files): Promise<string> {
    try {
      const { bytes } = await files.read("d/secret.txt", { maxBytes: 99 });
      return new TextDecoder().decode(bytes);
    } catch (thrown) {
      return (thrown as { code: string }).code;
    }
  }

  it("never lets a foreign byte through while reading", async () => {
    const { files, inside, outside } = await createWorkspace({ "d/secret.txt": "mine" });
    const outcomes = { "mine": 0, "file.refused": 0, "file.not_found": 0, "foreign": 0 };
    const race = { directory: inside("d"), target: outside("."), swaps: 6000 };
    await whileSwapping(race, async () => {
      const outcome = await readOnce(files);
      outcomes[outcome in outcomes ? (outcome as keyof typeof outcomes) : "foreign"] += 1;
      return outcomes.mine >= 100 && outcomes["file.refused"] >= 100;
    });
    expect(outcomes.foreign).toBe(0);
  });

  it("never writes or looks through while writing and listing", async () => {
    const workspace = await createWorkspace({ "d/data.txt": "mine" });
    const { files, inside, outside } = workspace;
    const listed = new Set<string>();
    const race = { directory: inside("d"), target: outside("."), swaps: 2000 };
    await whileSwapping(race, async () => {
      await files.write("d/planted.txt", bytesOf("x")).catch(() => "refused");
      const list = await files.list("d", { depth: 1, maxEntries: 9 }).catch(() => undefined);
      for (const { path } of list?.entries ?? []) listed.add(path);
      return listed.has("d/data.txt") && listed.has("d/planted.txt");
    });
    expectUntouched(workspace);
    expect(listed).not.toContain("d/secret.txt");
  });
});
