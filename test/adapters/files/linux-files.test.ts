import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { createLinuxFiles } from "../../../src/adapters/files/linux-files.ts";
import type { Files } from "../../../src/ports/files.ts";
import { describeFilesContract } from "../../contracts/files.contract.ts";
import { canMount, mountSmallDisk } from "../../support/small-disk.ts";
import { createWorkspace } from "./workspace.ts";

describeFilesContract("linux files", {
  create: async (initial) => (await createWorkspace(initial)).files,
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const modeOf = (path: string): number => statSync(path).mode & 0o7777;
const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

async function swallow(work: Promise<unknown>): Promise<void> {
  await work.catch(() => "refused");
}

describe("a workspace that cannot be used", () => {
  it("is refused where there is no /proc", async () => {
    const { inside } = await createWorkspace();
    const creation = createLinuxFiles({ root: inside("."), descriptors: "/nowhere/fd" });
    await expect(creation).rejects.toMatchObject({
      code: "home.invalid",
      message: expect.stringContaining("/proc"),
    });
  });

  it("is refused when it is missing, a file, or the kernel's", async () => {
    const { inside } = await createWorkspace({ "a.txt": "" });
    for (const root of [inside("missing"), inside("a.txt"), "/proc/self"]) {
      await expect(createLinuxFiles({ root })).rejects.toMatchObject({ code: "home.invalid" });
    }
  });

  it("may itself be reached through a link", async () => {
    const { inside, outside } = await createWorkspace({ "a.txt": "hello" });
    symlinkSync(inside("."), outside("link"));
    const files = await createLinuxFiles({ root: outside("link") });
    expect((await files.read("a.txt", { maxBytes: 9 })).size).toBe(5);
  });

  it("is not followed when a link takes its place later", async () => {
    const { files, inside, outside } = await createWorkspace();
    renameSync(inside("."), `${inside(".")}-moved`);
    symlinkSync(outside("."), inside(".").replace(/\/$/, ""));
    await expect(files.read("secret.txt", { maxBytes: 9 })).rejects.toMatchObject({
      code: "file.refused",
    });
  });
});

describe("permissions of written files", () => {
  it("gives a new file and its directories to the owner alone", async () => {
    const { files, inside } = await createWorkspace();
    await files.write("a/b.txt", bytesOf("x"));
    expect([modeOf(inside("a")), modeOf(inside("a/b.txt"))]).toEqual([0o700, 0o600]);
  });

  it("keeps the permissions of a replaced file, but no set-user-id", async () => {
    const { files, inside } = await createWorkspace({ "run.sh": "old" });
    chmodSync(inside("run.sh"), 0o4755);
    await files.write("run.sh", bytesOf("new"));
    expect(modeOf(inside("run.sh"))).toBe(0o755);
  });

  it("refuses to replace a read-only file", async () => {
    const { files, inside } = await createWorkspace({ "law.txt": "kept" });
    chmodSync(inside("law.txt"), 0o444);
    await expect(files.write("law.txt", bytesOf("x"))).rejects.toMatchObject({
      code: "file.refused",
    });
    expect(readFileSync(inside("law.txt"), "utf8")).toBe("kept");
  });

  it("refuses a name that the file system finds too long", async () => {
    const { files } = await createWorkspace();
    await expect(files.write("n".repeat(300), bytesOf("x"))).rejects.toMatchObject({
      code: "file.refused",
    });
  });

  it("P16: keeps the earlier content where the quota or the disk ends, and says that it did", async () => {
    const { inside } = await createWorkspace({ "big.txt": "earlier" });
    const script = `
      process.on("SIGXFSZ", () => {});
      const { createLinuxFiles } = await import("${new URL("../../../src/adapters/files/linux-files.ts", import.meta.url).pathname}");
      const files = await createLinuxFiles({ root: process.argv[1] });
      const fault = await files.write("big.txt", new Uint8Array(100_000)).catch((thrown) => thrown);
      console.log(fault.code);`;
    const output = execFileSync(
      "prlimit",
      [
        "--fsize=10000",
        process.execPath,
        "--import",
        "tsx",
        "--input-type=module",
        "-e",
        script,
        inside("."),
      ],
      { encoding: "utf8" },
    );
    expect(output.trim()).toBe("tool.failed");
    expect(readdirSync(inside("."))).toEqual(["big.txt"]);
    expect(readFileSync(inside("big.txt"), "utf8")).toBe("earlier");
  });

  it.runIf(canMount)(
    "P09, P16: changes nothing on a file system that is full or read-only",
    async () => {
      const disk = mountSmallDisk();
      try {
        const files = await createLinuxFiles({ root: disk.directory });
        await files.write("a.txt", bytesOf("earlier"));
        const tooLarge = files.write("a.txt", new Uint8Array(3_000_000));
        await expect(tooLarge).rejects.toMatchObject({ code: "tool.failed" });
        disk.makeReadOnly();
        await expect(files.write("a.txt", bytesOf("new"))).rejects.toMatchObject({
          code: "file.refused",
          message: "a.txt cannot be used: the file system is read-only.",
        });
        await expect(files.write("d/b.txt", bytesOf("new"))).rejects.toMatchObject({
          code: "file.refused",
        });
        expect(readFileSync(`${disk.directory}/a.txt`, "utf8")).toBe("earlier");
        expect(readdirSync(disk.directory)).toEqual(["a.txt"]);
      } finally {
        disk.unmount();
      }
    },
  );
});

describe("replacing a file", () => {
  it("leaves the old content to whoever reads it at that moment", async () => {
    const { files, inside } = await createWorkspace({ "a.txt": "old content" });
    const reader = openSync(inside("a.txt"), "r");
    try {
      await files.write("a.txt", bytesOf("new"));
      expect(readFileSync(reader, "utf8")).toBe("old content");
    } finally {
      closeSync(reader);
    }
    expect(readFileSync(inside("a.txt"), "utf8")).toBe("new");
  });

  it("reads one version to its end when the file is replaced meanwhile", async () => {
    const old = "o".repeat(1_000_000);
    const { files } = await createWorkspace({ "a.txt": old });
    let seen = "";
    for await (const chunk of files.chunks("a.txt")) {
      if (seen === "") await files.write("a.txt", bytesOf("new"));
      seen += new TextDecoder().decode(chunk);
    }
    expect(seen === old).toBe(true);
  });
});

describe("descriptors", () => {
  async function everything(files: Files): Promise<void> {
    await files.write("a/b/c.txt", bytesOf("hello"));
    await files.list(".", { depth: 5, maxEntries: 50 });
    await files.stat("a/b");
    for await (const chunk of files.chunks("a/b/c.txt")) {
      expect(chunk.length).toBe(5);
      break;
    }
    const refused = [
      "a/b",
      "link",
      "link/x",
      "fifo",
      "missing",
      "missing/x",
      "../x",
      "a/b/c.txt/d",
    ];
    for (const path of refused) {
      await swallow(files.read(path, { maxBytes: 1 }));
      await swallow(files.list(`${path}/`, { depth: 2, maxEntries: 5 }));
      if (!path.startsWith("missing")) await swallow(files.write(path, bytesOf("x")));
    }
  }

  it("are all closed, whatever an operation ends with", async () => {
    const { files, inside, outside } = await createWorkspace();
    symlinkSync(outside("."), inside("link"));
    execFileSync("mkfifo", [inside("fifo")]);
    await everything(files);
    const before = openDescriptors();
    for (let round = 0; round < 20; round += 1) await everything(files);
    expect(openDescriptors()).toBe(before);
  });
});

describe("large trees and files", () => {
  it("reads a window of a 2 GB file without loading it", async () => {
    const { files, inside } = await createWorkspace({ "huge.txt": "first\n" });
    truncateSync(inside("huge.txt"), 2 * 1024 ** 3);
    const { bytes, size } = await files.read("huge.txt", { maxBytes: 6 });
    expect([new TextDecoder().decode(bytes), size]).toEqual(["first\n", 2_147_483_648]);
  });

  it("names entries that it cannot look into, and goes on", async () => {
    const { files, inside, outside } = await createWorkspace({ "a.txt": "1" });
    symlinkSync(outside("."), inside("link"));
    execFileSync("mkfifo", [inside("pipe")]);
    execFileSync("ln", [outside("secret.txt"), inside("hard")]);
    writeFileSync(Buffer.concat([Buffer.from(inside("bad-")), Buffer.from([0xff])]), "");
    mkdirSync(inside("z"));
    const { entries } = await files.list(".", { depth: 2, maxEntries: 9 });
    expect(entries.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      "a.txt file",
      "bad-\ufffd other",
      "hard link",
      "link link",
      "pipe other",
      "z directory",
    ]);
  });
});
