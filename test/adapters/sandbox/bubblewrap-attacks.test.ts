import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { describe, expect, it } from "vitest";
import { commandOf, textOf } from "../../contracts/sandbox.contract.ts";
import { createLinuxFiles } from "../../../src/adapters/files/linux-files.ts";
import { bubblewrap, createSandboxed, processesWith } from "./sandboxed.ts";
import { nonce } from "../../support/nonce.ts";

/** Commands that mean harm. Cases of H08 and H12 to H15, P02 to P04 and P16 as far as a program can try them. */

async function listening(server: Server, where: string | number): Promise<void> {
  await new Promise<void>((resolve) => server.listen(where, resolve));
}

describe.skipIf(!bubblewrap.ok)("what a command cannot see", () => {
  it("H14: the files of the machine, the home and its neighbours", async () => {
    const { sh, outside } = createSandboxed();
    writeFileSync(outside("statehive.db"), "SECRET");
    const places = [
      "/etc/shadow",
      "/etc/passwd",
      "/etc/hostname",
      "/root",
      "/home",
      "/var",
      "/run",
      "/sys",
    ];
    const listed = textOf(
      await sh(`ls -d ${places.join(" ")} ${outside(".")} 2>/dev/null; echo end`),
    );
    expect(listed).toBe("end\n");
    expect(textOf(await sh(`cat /workspace/../../${outside("statehive.db")}`))).not.toContain(
      "SECRET",
    );
    expect(textOf(await sh("ls /"))).toBe(
      "bin\ndev\netc\nlib\nlib64\nproc\nsbin\ntmp\nusr\nworkspace\n",
    );
  });

  it("H14: the environment of the service, in no process", async () => {
    process.env["STATEHIVE_TEST_SECRET"] = "SECRET";
    const { sh } = createSandboxed();
    expect(textOf(await sh("env | sort"))).toBe(
      "HOME=/tmp\nLANG=C.UTF-8\nNO_COLOR=1\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n" +
        "PWD=/workspace\nTERM=dumb\nTMPDIR=/tmp\n",
    );
    const everyone = textOf(
      await sh("cat /proc/*/environ | tr '\\0' '\\n' | cut -d= -f1 | sort -u"),
    );
    expect(everyone).not.toContain("STATEHIVE_TEST_SECRET");
    expect(everyone.split("\n").length).toBeLessThan(10);
    delete process.env["STATEHIVE_TEST_SECRET"];
  });

  it("H14: what the service was started with: its open files reach no command", () => {
    const adapters = new URL("../../../dist/adapters/sandbox/", import.meta.url).href;
    const script = `
      const { createBubblewrapSandbox } = await import("${adapters}bubblewrap.js");
      const { detectBubblewrap } = await import("${adapters}detect-bubblewrap.js");
      const sandbox = createBubblewrapSandbox({ workspace: "/usr/share", bubblewrap: await detectBubblewrap() });
      const program = { kind: "argv", argv: ["readlink", "/proc/self/fd/40"] };
      const command = { program, directory: ".", sealed: [], deadlineMs: 50_000, maxOutputBytes: 9000 };
      const { output } = await sandbox.run(command, new AbortController().signal);
      process.stdout.write(output.start);`;
    const kept = openSync("/etc/passwd", "r");
    const stdio = Array.from<unknown, "ignore" | "pipe" | number>({ length: 41 }, () => "ignore")
      .with(1, "pipe")
      .with(40, kept);
    const started = ["--input-type=module", "-e", script];
    const seen = spawnSync(process.execPath, started, { stdio }).stdout;
    closeSync(kept);
    expect(seen.toString()).toBe("/dev/null\n");
  });

  it("H13: other processes, so that none can be killed or looked into", async () => {
    const { sh } = createSandboxed();
    expect(Number(textOf(await sh("ls -d /proc/[0-9]* | wc -l")))).toBeLessThan(6);
    expect(textOf(await sh(`kill -9 ${process.pid} 2>&1 || echo refused`))).toContain("refused");
    expect(textOf(await sh("kill -9 -1 2>/dev/null; echo alone"))).toBe("alone\n");
  });

  it("H15: the network, the loopback of the host included", async () => {
    const server = createServer((socket) => socket.end("SECRET"));
    await listening(server, 0);
    const { port } = server.address() as { port: number };
    const { python } = createSandboxed();
    const text = textOf(
      await python(`import socket
for address in [("127.0.0.1", ${port}), ("8.8.8.8", 53)]:
    try: print(socket.create_connection(address, 2).recv(9))
    except OSError as error: print(error.strerror)`),
    );
    server.close();
    expect(text).toBe("Connection refused\nNetwork is unreachable\n");
  });

  it("H14: the control socket of the service", async () => {
    const { python, outside } = createSandboxed();
    const server = createServer((socket) => socket.end("SECRET"));
    await listening(server, outside("statehive.sock"));
    const text = textOf(
      await python(`import socket
try: socket.socket(socket.AF_UNIX).connect(${JSON.stringify(outside("statehive.sock"))})
except OSError as error: print(error.strerror)`),
    );
    server.close();
    expect(text).toBe("No such file or directory\n");
  });

  it("P04: a link that a command plants leads the file tools nowhere either", async () => {
    const { sh, inside, outside } = createSandboxed();
    writeFileSync(outside("secret.txt"), "SECRET");
    await sh(`ln -s ${outside("secret.txt")} soft; ln -s ${outside(".")} directory; ln a.txt hard`);
    const files = await createLinuxFiles({ root: inside(".") });
    for (const path of ["soft", "directory/secret.txt"]) {
      await expect(files.read(path, { maxBytes: 99 })).rejects.toMatchObject({
        code: "file.refused",
      });
      await expect(files.write(path, new Uint8Array(1))).rejects.toMatchObject({
        code: "file.refused",
      });
    }
  });

  it("H14: a home that holds the workspace: its database, its socket, and links to them", async () => {
    const { sh, inside, outside } = createSandboxed();
    for (const name of ["statehive.db", "statehive.sock", "main.yaml"])
      writeFileSync(outside(name), "SECRET");
    symlinkSync(outside("."), inside("home"));
    symlinkSync(outside("statehive.db"), inside("database"));
    symlinkSync("../outside/main.yaml", inside("config"));
    const text = textOf(
      await sh(
        `cat home/statehive.db database config ../outside/main.yaml ${outside("statehive.db")}; ` +
          "ls home/ .. /workspace/..; find / -xdev -name 'statehive.*' 2>/dev/null; echo end",
      ),
    );
    expect(text).not.toContain("SECRET");
    expect(text).not.toContain("main.yaml\n");
    expect(text.match(/No such file or directory/g)?.length).toBeGreaterThanOrEqual(5);
    expect(text.endsWith("end\n")).toBe(true);
  });

  it("P02, P03, P04: through a link, what lies outside", async () => {
    const { sh, inside, outside } = createSandboxed();
    writeFileSync(outside("secret.txt"), "SECRET");
    symlinkSync(outside("secret.txt"), inside("file"));
    symlinkSync(outside("."), inside("directory"));
    const text = textOf(
      await sh(
        `cat file directory/secret.txt; echo x > file; echo x > directory/new.txt; ln -s ${outside("secret.txt")} own; cat own; ` +
          `ln ${outside("secret.txt")} hard; cat hard`,
      ),
    );
    expect(text).not.toContain("SECRET");
    expect(readdirSync(outside("."))).toEqual(["secret.txt"]);
  });
});

const isRoot = process.getuid?.() === 0;

describe.skipIf(!bubblewrap.ok)("what a command cannot change", () => {
  it("P09: anything on a read-only mount: no write, unlink, truncate or rename", async () => {
    const { sh } = createSandboxed();
    const tries = [
      "echo x > /usr/bin/env",
      "rm -f /usr/bin/env",
      "truncate -s 0 /usr/bin/env",
      "mv /usr/bin/env /usr/bin/env2",
      "mkdir /usr/new",
    ];
    const text = textOf(await sh(tries.map((one) => `(${one}) && echo changed`).join("; ")));
    const refusals = isRoot ? /Read-only file system/g : /Read-only file system|Permission denied/g;
    expect(text.match(refusals)).toHaveLength(tries.length);
    expect(text).not.toContain("changed");
  });

  it("P08: nothing moves, is made or goes away across the border of the workspace", async () => {
    const { sh, inside, outside } = createSandboxed();
    writeFileSync(inside("a.txt"), "mine");
    writeFileSync(outside("secret.txt"), "SECRET");
    symlinkSync(outside("."), inside("link"));
    const tries = [
      "mv a.txt link/a.txt",
      "mkdir link/made",
      "rm link/secret.txt",
      "mv a.txt /usr/a.txt",
      "mkdir ../made",
    ];
    const text = textOf(await sh(tries.map((one) => `${one} && echo changed`).join("; ")));
    expect(text).not.toContain("changed");
    expect(readdirSync(outside("."))).toEqual(["secret.txt"]);
    expect(readdirSync(inside(".")).toSorted()).toEqual(["a.txt", "link", "src"]);
  });

  it("H13: anything but the workspace and /tmp", async () => {
    const { sh } = createSandboxed();
    const text = textOf(
      await sh(
        "for place in / /usr /usr/bin /etc /dev /proc; do touch $place/statehive-test 2>/dev/null && echo $place; done; echo end",
      ),
    );
    expect(text).toBe("end\n");
  });

  it("H13: the kernel's switches, also as the service of root", async () => {
    const { sh } = createSandboxed();
    const switches =
      "sys/kernel/core_pattern sys/kernel/hostname sys/kernel/modprobe sys/vm/overcommit_memory sysrq-trigger self/oom_score_adj";
    const opened = await sh(
      `for name in ${switches}; do (: >> /proc/$name) 2>/dev/null && echo $name; done; echo end`,
    );
    expect(textOf(opened)).toBe("end\n");
    expect(textOf(await sh("cat /proc/kcore /proc/kmsg /proc/keys 2>/dev/null"))).toBe("");
  });

  it("H13: its own walls: no namespaces, no mounts, no rights", async () => {
    const { sh } = createSandboxed();
    const text = textOf(
      await sh(
        "unshare -Ur true && echo userns; unshare -m true && echo mount; mount -t tmpfs none /tmp && echo mounted; " +
          "chroot / true && echo chroot; mknod dev c 1 3 && echo device; grep Cap /proc/self/status | grep -v 0000000000000000; echo end",
      ),
    );
    expect(
      text
        .split("\n")
        .filter((line) => !/denied|not permitted|No space|failed|only root|must be/i.test(line)),
    ).toEqual(["end", ""]);
  });

  it("H13: the terminal of the service", async () => {
    const { sh, python } = createSandboxed();
    expect(textOf(await sh("tty; (echo x > /dev/tty) 2>/dev/null || echo none"))).toBe(
      "not a tty\nnone\n",
    );
    const push = `import fcntl, termios
for number in (0, 1, 2):
    try: fcntl.ioctl(number, termios.TIOCSTI, b"x"); print("pushed")
    except OSError as error: print("refused")`;
    expect(textOf(await python(push))).toBe("refused\nrefused\nrefused\n");
  });

  it("H08: which program a name means, by a file of that name in the workspace", async () => {
    const { sandbox, sh, inside } = createSandboxed();
    writeFileSync(inside("ls"), "#!/bin/sh\necho planted\n");
    chmodSync(inside("ls"), 0o755);
    expect(textOf(await sh("ls"))).toBe("ls\nsrc\n");
    const command = commandOf({ kind: "argv", argv: ["ls"] });
    const result = await sandbox.run(command, new AbortController().signal);
    expect(textOf(result)).toBe("ls\nsrc\n");
  });

  it("H12: where it runs, by a link in the place of its directory", async () => {
    const { sh, inside, outside } = createSandboxed();
    mkdirSync(inside("real"));
    symlinkSync(outside("."), inside("swapped"));
    symlinkSync("/", inside("root"));
    symlinkSync("real", inside("neighbour"));
    for (const directory of ["swapped", "root", "neighbour", "neighbour/../real/../neighbour"]) {
      await expect(sh("touch /workspace/done", { directory })).rejects.toMatchObject({
        code: "tool.failed",
      });
    }
    expect(existsSync(inside("done"))).toBe(false);
    expect(textOf(await sh("pwd", { directory: "real" }))).toBe("/workspace/real\n");
  });
});

describe.skipIf(!bubblewrap.ok)("how much a command can use", () => {
  /** A bomb that ends by itself: a real one takes the processes of whoever runs these tests before it is found. */
  it("H13: a command that forks without end is ended, and nothing of it is left", async () => {
    const marker = `bomb${nonce()}`;
    const { sh } = createSandboxed();
    const bomb = `: ${marker}; for i in $(seq 600); do sleep 60 & done; sleep 60`;
    const { end } = await sh(bomb, { deadlineMs: 5_000 });
    // The kernel itself gives a plain user no more processes.
    expect(["over_limit", "timed_out", ...(isRoot ? [] : ["exited"])]).toContain(end.kind);
    expect(processesWith(marker)).toEqual([]);
  });

  it("H13: an output without end costs neither memory nor time", async () => {
    const { sh } = createSandboxed();
    const sayYesFor = (deadlineMs: number) => sh("yes", { deadlineMs, maxOutputBytes: 200_000 });
    let result = await sayYesFor(800);
    // On a busy machine it has hardly begun by then.
    if (result.output.totalBytes < 300_000) result = await sayYesFor(8_000);
    const { end, output } = result;
    expect(end).toEqual({ kind: "timed_out" });
    expect(output.start.length).toBe(200_000);
    expect(output.end.length).toBeLessThanOrEqual(65_536);
    expect(output.totalBytes).toBeLessThan(50_000_000);
  });

  it("H13: one process cannot have 1 GB of memory", async () => {
    const { python } = createSandboxed();
    expect(textOf(await python("print(len(bytearray(1_000_000_000)))"))).toContain("MemoryError");
  });

  it("P16, H13: a file of 200 MB is cut at 128 MiB, and /tmp and /dev/shm end", async () => {
    const { sh } = createSandboxed();
    const text = textOf(
      await sh(
        "head -c 200000000 /dev/zero > big; stat -c %s big; rm big; " +
          "for name in a b c; do head -c 100000000 /dev/zero > /tmp/$name; done 2>/dev/null; du -sm /tmp | cut -f1; " +
          "head -c 100000000 /dev/zero > /dev/shm/a; stat -c %s /dev/shm/a",
      ),
    );
    const [big, temporary, shared] = text
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .map(Number);
    expect([big, temporary, shared]).toEqual([134_217_728, 128, 67_108_864]);
  });
});
