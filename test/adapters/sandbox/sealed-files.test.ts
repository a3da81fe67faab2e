import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { commandOf, sha256, textOf } from "../../contracts/sandbox.contract.ts";
import { bubblewrap, createSandboxed, type Sandboxed } from "./sandboxed.ts";

/** H10: what a command runs is what was looked at, in a real sandbox. */

const never = new AbortController().signal;

const held = (path: string, content: string) => [{ path, sha256: sha256(content), isHeld: true }];

function run({ sandbox }: Sandboxed, argv: readonly string[], sealed: ReturnType<typeof held>) {
  return sandbox.run(commandOf({ kind: "argv", argv }, { sealed }), never);
}

describe.skipIf(!bubblewrap.ok)("a script that a command runs", () => {
  it("runs under its own path, with the permissions that it has", async () => {
    const place = createSandboxed();
    const script = "import os, sys\nprint(sys.argv, os.path.lexists('/proc/self/fd/4'))\n";
    writeFileSync(place.inside("src/x.py"), script);
    const result = await run(place, ["python3", "src/x.py", "1"], held("src/x.py", script));
    expect(textOf(result)).toBe("['src/x.py', '1'] False\n");

    const program = '#!/bin/sh\necho "$0 $1"\n';
    writeFileSync(place.inside("build.sh"), program, { mode: 0o755 });
    const built = await run(place, ["./build.sh", "all"], held("./build.sh", program));
    expect(textOf(built)).toBe("./build.sh all\n");
    writeFileSync(place.inside("plain.sh"), program, { mode: 0o644 });
    const refused = await run(place, ["./plain.sh"], held("./plain.sh", program));
    expect(refused.end).toEqual({ kind: "exited", code: 126 });
  });

  it("H10: stays as it is while it runs, whoever writes to it, and is not changed by that", async () => {
    const place = createSandboxed();
    const path = place.inside("x.sh");
    const script =
      "echo first; echo 'echo planted' >> x.sh; rm -f x.sh; touch begun; until [ -e go ]; do sleep 0.01; done\necho last\n";
    writeFileSync(path, script);
    const running = run(place, ["sh", "x.sh"], held("x.sh", script));
    await expect.poll(() => existsSync(place.inside("begun"))).toBe(true);
    writeFileSync(path, `${script}echo from outside\n`);
    writeFileSync(place.inside("go"), "");
    const text = textOf(await running);
    expect(text).toMatch(/^first\n/);
    expect(text).toContain("Read-only file system");
    expect(text).toMatch(/last\n$/);
    expect(readFileSync(path, "utf8")).toBe(`${script}echo from outside\n`);
  });

  it("H10: is refused where a link or another directory has taken its place by the start", async () => {
    const place = createSandboxed();
    const { sandbox, inside } = place;
    writeFileSync(inside("src/x.py"), "print(1)");
    const sealed = held("src/x.py", "print(1)");
    const changed = { code: "tool.failed", message: expect.stringContaining("has changed since") };

    renameSync(inside("src"), inside("old"));
    mkdirSync(inside("src"));
    writeFileSync(inside("src/x.py"), "print(2)");
    await expect(run(place, ["python3", "src/x.py"], sealed)).rejects.toMatchObject(changed);

    writeFileSync(inside("src/x.py"), "print(1)");
    renameSync(inside("src"), inside("real"));
    symlinkSync("real", inside("src"));
    expect(sandbox.digest(".", "src/x.py")).toMatchObject({ kind: "unfit" });
    await expect(run(place, ["python3", "src/x.py"], sealed)).rejects.toMatchObject(changed);
  });

  it("H10: is looked at once more inside, where the service cannot hold it", async () => {
    const place = createSandboxed();
    writeFileSync(place.inside("x.py"), "print(1)");
    const sealed = [{ path: "x.py", sha256: sha256("print(2)"), isHeld: false }];
    const text = { kind: "shell", text: "python3 x.py" } as const;
    const begun = place.sandbox.run(commandOf(text, { sealed }), never);
    await expect(begun).rejects.toMatchObject({ code: "tool.failed" });
  });

  it("can be empty or as large as is watched", async () => {
    const place = createSandboxed();
    writeFileSync(place.inside("empty.py"), "");
    expect((await run(place, ["python3", "empty.py"], held("empty.py", ""))).end).toEqual({
      kind: "exited",
      code: 0,
    });
    const large = `${"#".repeat(1024 * 1024 - 9)}\nprint(3)`;
    writeFileSync(place.inside("large.py"), large);
    const result = await run(place, ["python3", "large.py"], held("large.py", large));
    expect(textOf(result)).toBe("3\n");
  });

  it("P02, P03: is not looked at through links, and not where it is too large or no plain file", () => {
    const { sandbox, inside, outside } = createSandboxed();
    writeFileSync(outside("secret"), "SECRET");
    symlinkSync(outside("secret"), inside("link"));
    symlinkSync(outside("."), inside("way"));
    linkSync(outside("secret"), inside("hard"));
    writeFileSync(inside("huge"), "");
    truncateSync(inside("huge"), 1024 * 1024 + 1);
    expect(["link", "way/secret", "hard", "huge"].map((path) => sandbox.digest(".", path))).toEqual(
      [
        { kind: "unfit", reason: "link cannot be used: it is a symbolic link." },
        { kind: "unfit", reason: "way/secret cannot be used: it is a symbolic link." },
        { kind: "unfit", reason: "hard cannot be used: it has more than one hard link." },
        { kind: "unfit", reason: "huge is larger than 1048576 bytes or still grows." },
      ],
    );
  });

  it("is found under the workspace's place in the sandbox too", () => {
    const { sandbox, inside } = createSandboxed();
    writeFileSync(inside("src/x.py"), "1");
    const found = { kind: "file", sha256: sha256("1") };
    expect(sandbox.digest("src", "/workspace/src/x.py")).toEqual(found);
    expect(sandbox.digest("src", "/workspace/../etc/passwd")).toEqual({ kind: "absent" });
  });

  it("leaves no descriptor open, found or not", () => {
    const { sandbox, inside } = createSandboxed();
    writeFileSync(inside("src/x.py"), "1");
    symlinkSync("x.py", inside("src/link"));
    const open = () => readdirSync("/proc/self/fd").length;
    const before = open();
    for (const path of ["src/x.py", "src/link", "src/none", "none/x", "src"])
      for (let round = 0; round < 20; round += 1) sandbox.digest(".", path);
    expect(open()).toBe(before);
  });
});
