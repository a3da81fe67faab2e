import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Sandbox, SandboxCommand, SandboxResult } from "../../src/ports/sandbox.ts";

/** What every adapter of the sandbox port keeps, walls and limits aside, which only a real one has. */

export type SandboxUnderTest = {
  /** Fresh, over a workspace that holds a directory `src` with a file `a.txt` in it, whose content is `hello`. */
  readonly create: () => Promise<Sandbox>;
};

const never = new AbortController().signal;

export function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The commands of the contract, for a fake to know. */
export const contractCommands = {
  greeting: { kind: "argv", argv: ["echo", "hello there"] },
  failure: { kind: "argv", argv: ["false"] },
  missing: { kind: "argv", argv: ["no-such-program"] },
  mixed: { kind: "shell", text: "echo out; echo err >&2; echo again; exit 3" },
  place: { kind: "argv", argv: ["pwd"] },
  endless: { kind: "shell", text: "echo begun; sleep 60" },
  long: { kind: "shell", text: "printf '%05000d' 7" },
} as const satisfies Readonly<Record<string, SandboxCommand["program"]>>;

export function commandOf(
  program: SandboxCommand["program"],
  changes: Partial<SandboxCommand> = {},
): SandboxCommand {
  return {
    program,
    directory: ".",
    sealed: [],
    deadlineMs: 50_000,
    maxOutputBytes: 100_000,
    ...changes,
  };
}

export function textOf({ output }: SandboxResult): string {
  return `${new TextDecoder().decode(output.start)}${new TextDecoder().decode(output.end)}`;
}

export function describeSandboxContract(adapter: string, { create }: SandboxUnderTest): void {
  describe(`${adapter} running programs`, () => {
    it("tells a program's output and its exit code", async () => {
      const sandbox = await create();
      expect(sandbox.available()).toMatchObject({ ok: true });
      const greeted = await sandbox.run(commandOf(contractCommands.greeting), never);
      expect([greeted.end, textOf(greeted)]).toEqual([
        { kind: "exited", code: 0 },
        "hello there\n",
      ]);
      const failed = await sandbox.run(commandOf(contractCommands.failure), never);
      expect([failed.end, textOf(failed)]).toEqual([{ kind: "exited", code: 1 }, ""]);
    });

    it("runs shell text, and keeps both outputs in their order", async () => {
      const result = await (await create()).run(commandOf(contractCommands.mixed), never);
      expect([result.end, textOf(result)]).toEqual([
        { kind: "exited", code: 3 },
        "out\nerr\nagain\n",
      ]);
    });

    it("names a program that is not there, with the code that shells have for that", async () => {
      const result = await (await create()).run(commandOf(contractCommands.missing), never);
      expect(result.end).toEqual({ kind: "exited", code: 127 });
      expect(textOf(result)).toContain("no-such-program");
    });

    it("begins in the asked directory", async () => {
      const command = commandOf(contractCommands.place, { directory: "src" });
      expect(textOf(await (await create()).run(command, never))).toBe("/workspace/src\n");
    });

    it("keeps the start and the end of a long output, and its length", async () => {
      const command = commandOf(contractCommands.long, { maxOutputBytes: 100 });
      const { output } = await (await create()).run(command, never);
      expect(output.totalBytes).toBe(5000);
      expect(new TextDecoder().decode(output.start)).toBe("0".repeat(100));
      expect(new TextDecoder().decode(output.end)).toBe(`${"0".repeat(4899)}7`);
    });
  });

  describe(`${adapter} looking at what a program would run`, () => {
    it("tells what a file holds, by any plain path to it", async () => {
      const sandbox = await create();
      const hello = { kind: "file", sha256: sha256("hello") };
      expect(sandbox.digest(".", "src/a.txt")).toEqual(hello);
      expect(sandbox.digest("src", "a.txt")).toEqual(hello);
      expect(sandbox.digest("src", "./../src//a.txt")).toEqual(hello);
    });

    it("tells of what is no file, or lies elsewhere, that it is not there", async () => {
      const sandbox = await create();
      for (const path of ["src", "src/b.txt", "../src/a.txt", "/etc/passwd", "__proto__"])
        expect([path, sandbox.digest(".", path)]).toEqual([path, { kind: "absent" }]);
    });

    it("tells what surrounds a program in the same words each time, and in others elsewhere", async () => {
      const sandbox = await create();
      expect(sandbox.surroundings("src")).toEqual(sandbox.surroundings("src"));
      expect(sandbox.surroundings("src")).not.toEqual(sandbox.surroundings("."));
    });

    it("H10: begins only while what it runs is what it was", async () => {
      const sandbox = await create();
      const sealed = (content: string, path = "src/a.txt") =>
        commandOf(contractCommands.greeting, {
          sealed: [{ path, sha256: sha256(content), isHeld: false }],
        });
      expect(textOf(await sandbox.run(sealed("hello"), never))).toBe("hello there\n");
      for (const changed of [sealed("other"), sealed("hello", "src/b.txt")]) {
        const run = sandbox.run(changed, never);
        await expect(run).rejects.toMatchObject({
          code: "tool.failed",
          message: expect.stringMatching(
            /^src\/[ab]\.txt has changed since the command was allowed, so nothing was begun\.$/,
          ),
        });
      }
    });
  });

  describe(`${adapter} being stopped`, () => {
    it("begins nothing that was stopped before", async () => {
      const run = (await create()).run(commandOf(contractCommands.endless), AbortSignal.abort());
      await expect(run).rejects.toMatchObject({ code: "activity.aborted" });
    });

    it("ends what is stopped in the middle", async () => {
      const stop = new AbortController();
      const run = (await create()).run(commandOf(contractCommands.endless), stop.signal);
      setTimeout(() => stop.abort(), 150);
      await expect(run).rejects.toMatchObject({ code: "activity.aborted" });
    });

    it("ends what runs past its deadline, and tells what it had said", async () => {
      const sandbox = await create();
      const runFor = (deadlineMs: number) =>
        sandbox.run(commandOf(contractCommands.endless, { deadlineMs }), never);
      let result = await runFor(500);
      // On a busy machine it has not begun to speak by then.
      if (textOf(result) === "") result = await runFor(10_000);
      expect([result.end, textOf(result)]).toEqual([{ kind: "timed_out" }, "begun\n"]);
    });
  });
}
