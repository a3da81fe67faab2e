import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { fakeService } from "./support/fake-service.ts";
import { run } from "./support/fake-terminal.ts";
import { sampleStatus } from "./support/samples.ts";

const { pid } = spawnSync(process.execPath, ["--version"]);
const stopping = (working: number) =>
  fakeService({ status: { ...sampleStatus, pid }, shutdown: { working } });

describe("stop", () => {
  it("says what it waits for, and for how long at most", async () => {
    const { home, requests } = await stopping(2);
    const { code, out, err } = await run(["stop", "--grace", "30", "--home", home], { env: {} });
    expect(code).toBe(0);
    expect(err).toBe(
      `2 runs still work: waiting for at most 30 s; \`statehive stop --force --home ${home}\` ends it at once\n`,
    );
    expect(out).toBe(`statehive (pid ${pid}) has stopped.\n`);
    expect(requests.at(-1)).toEqual({ method: "shutdown", params: { grace_ms: 30_000 } });
  });

  it("gives nothing any time with --force", async () => {
    const { home, requests } = await stopping(2);
    const { code, err } = await run(["stop", "--force", "--home", home], { env: {} });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(requests.at(-1)).toEqual({ method: "shutdown", params: { grace_ms: 0 } });
  });

  it.each(["-1", "601", "soon", "1.5"])("refuses to wait for %s seconds", async (seconds) => {
    const { code, err } = await run(["stop", `--grace=${seconds}`], { env: {} });
    expect(code).toBe(2);
    expect(err).toContain("It must be a whole number from 0 to 600.");
  });
});
