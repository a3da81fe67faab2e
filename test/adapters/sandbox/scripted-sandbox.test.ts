import { expect, it } from "vitest";
import {
  createScriptedSandbox,
  type ScriptedProgram,
} from "../../../src/adapters/sandbox/scripted-sandbox.ts";
import type { SandboxCommand } from "../../../src/ports/sandbox.ts";
import {
  commandOf,
  contractCommands,
  describeSandboxContract,
} from "../../contracts/sandbox.contract.ts";

const exited = (code: number) => ({ kind: "exited", code }) as const;

function script({ program, directory }: SandboxCommand): ScriptedProgram {
  switch (program) {
    case contractCommands.greeting:
      return { output: "hello there\n" };
    case contractCommands.failure:
      return { end: exited(1) };
    case contractCommands.missing:
      return { output: "sh: 1: no-such-program: not found\n", end: exited(127) };
    case contractCommands.mixed:
      return { output: "out\nerr\nagain\n", end: exited(3) };
    case contractCommands.place:
      return { output: `/workspace/${directory}\n` };
    case contractCommands.long:
      return { output: "7".padStart(5000, "0") };
    default:
      return { output: "begun\n", end: "runs until stopped" };
  }
}

describeSandboxContract("the scripted sandbox", {
  create: () =>
    Promise.resolve(createScriptedSandbox(script, { files: new Map([["src/a.txt", "hello"]]) })),
});

it("remembers what was begun, and only that", async () => {
  const sandbox = createScriptedSandbox(script);
  const greeting = commandOf(contractCommands.greeting);
  await sandbox.run(greeting, new AbortController().signal);
  await sandbox.run(greeting, AbortSignal.abort()).catch(() => undefined);
  expect(sandbox.begun).toEqual([greeting]);
});
