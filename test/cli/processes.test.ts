import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { says, startAnthropicServer } from "../support/anthropic-server.ts";
import { newPlace } from "./support/cli-process.ts";

describe("serve", () => {
  it("says when it is ready, refuses a second one, and stops on SIGTERM", async () => {
    const place = newPlace();
    const service = place.start("serve");
    await expect.poll(service.err).toContain("statehive is ready");
    expect(await place.ask("status", "-q")).toMatchObject({ code: 0 });
    const second = await place.run("serve");
    expect(second.code).toBe(75);
    expect(second.err).toContain("statehive: another process holds");
    service.child.kill("SIGTERM");
    const { code, out, err } = await service.ended;
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain("SIGTERM: stopping; once more ends it at once");
    expect(err.trimEnd().split("\n").at(-1)).toBe("statehive has stopped");
  });

  it("says what it waits for, ends at once on a second signal, and goes on at the next start", async () => {
    let isOpen = false;
    const server = await startAnthropicServer(() =>
      isOpen ? says("Good day.") : new Promise(() => {}),
    );
    onTestFinished(() => server.close());
    const place = newPlace();
    await place.ask("init");
    const provider = ["id: anthropic", "type: anthropic", "api_key: file:key"];
    writeFileSync(join(place.home, "key"), "sk-test", { mode: 0o600 });
    writeFileSync(
      join(place.home, "config/providers.d/anthropic.yaml"),
      [...provider, `base_url: ${server.url}`, ""].join("\n"),
    );
    const first = place.start("serve");
    await expect.poll(first.err).toContain("statehive is ready");
    const chat = place.ask("chat", "-p", "hello");
    await expect.poll(() => server.requests.length).toBe(1);
    first.child.kill("SIGTERM");
    await expect.poll(first.err).toContain("SIGTERM: stopping, 1 run still works; once more");
    expect(await place.ask("chat", "-p", "too late")).toMatchObject({
      code: 75,
      err: expect.stringContaining("The service is stopping and takes no new messages."),
    });
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(143);
    expect((await chat).code).toBe(3);
    isOpen = true;
    const second = place.start("serve");
    await expect.poll(second.err).toContain("statehive is ready");
    await expect
      .poll(async () => (await place.askJson("runs", "list")).told.data)
      .toMatchObject([{ state: "done", reply: "Good day." }]);
  });

  it("is what a bare statehive does without a terminal", async () => {
    const place = newPlace();
    const service = place.start();
    await expect.poll(service.err).toContain("statehive is ready");
    service.child.kill("SIGINT");
    expect((await service.ended).code).toBe(0);
  });

  it("outlives those who read its output", async () => {
    const place = newPlace();
    const service = place.start("serve", "-v");
    await expect.poll(service.err).toContain("statehive is ready");
    service.child.stderr?.destroy();
    service.child.stdout?.destroy();
    expect((await place.ask("chat", "-p", "hello")).code).toBe(0);
    expect((await place.ask("stop")).code).toBe(0);
  });
});

describe("a process", () => {
  it("ends at once and without a word when nobody reads on", () => {
    const place = newPlace();
    const main = join(import.meta.dirname, "../../dist/cli/main.js");
    const script = `"$0" "${main}" machines show run --format json | head -1; echo "\${PIPESTATUS[0]}"`;
    const env = { ...process.env, STATEHIVE_HOME: place.home };
    const out = execFileSync("bash", ["-c", `(${script}) 2>&1`, process.execPath], {
      env,
      encoding: "utf8",
    });
    expect(out).toBe("{\n0\n");
  });

  it("prints no colour and no escape outside of a terminal", async () => {
    const place = newPlace();
    for (const args of [["--help"], ["status"]]) {
      const { out, err } = await place.run(...args);
      expect(`${out}${err}`).not.toContain("\u001b");
    }
  });

  it("leaves the run running on SIGINT and exits with 130", async () => {
    const place = newPlace();
    await place.run("start");
    const chat = place.start("chat", "-p", "write x to a.txt");
    await expect.poll(chat.err).toContain("statehive approvals allow");
    chat.child.kill("SIGINT");
    const { code, err } = await chat.ended;
    expect(code).toBe(130);
    expect(err).toContain("The run goes on without you.");
    expect((await place.askJson("approvals", "list")).told.data).toHaveLength(1);
  });

  it("waits for no service that accepts and says nothing", async () => {
    const place = newPlace();
    mkdirSync(join(place.home, "run"), { recursive: true });
    const server = createServer(() => undefined).listen(join(place.home, "run/statehive.sock"));
    onTestFinished(() => void server.close());
    const { code, told } = await place.askJson("actors", "tree", "--timeout", "100");
    expect({ code, error: told.error?.code }).toEqual({ code: 4, error: "service.not_answering" });
  });

  it("says in one line that a home cannot be used", async () => {
    const place = newPlace(["file", "home"]);
    writeFileSync(join(place.home, ".."), "");
    const { code, err } = await place.run("start");
    expect(code).toBe(78);
    expect(err).toMatch(
      /^statehive: .* cannot be written \(ENOTDIR\)\n {2}choose another directory/,
    );
  });
});
