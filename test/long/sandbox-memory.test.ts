import { expect, it } from "vitest";
import { bubblewrap, createSandboxed } from "../adapters/sandbox/sandboxed.ts";

it.skipIf(!bubblewrap.ok)("H13: many processes together cannot have 2 GiB of memory", async () => {
  const { python } = createSandboxed();
  const program = `import os, time
for _ in range(4):
    if os.fork() == 0:
        held = b"x" * 700_000_000
        time.sleep(400)
time.sleep(400)`;
  const { end } = await python(program, { deadlineMs: 300_000 });
  expect(end).toEqual({ kind: "over_limit", limit: "2147483648 bytes of memory" });
});
