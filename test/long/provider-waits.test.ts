import { expect, it } from "vitest";
import { apiError, says } from "../support/anthropic-server.ts";
import { createJobHome } from "../support/jobs.ts";
import { startServiceProcess } from "../support/service-process.ts";

const waitMs = 6_000;

it("waits as long as the provider asked, though the service is killed meanwhile", async () => {
  const asked: number[] = [];
  const refused = {
    ...apiError(429, "rate_limit_error", "Slow down."),
    headers: { "retry-after": String(waitMs / 1000) },
  };
  const jobs = await createJobHome({
    script: (_, n) => {
      asked.push(Date.now());
      return n === 1 ? refused : says("Hello.");
    },
  });
  const first = await startServiceProcess({ home: jobs.home, env: jobs.env });
  const connection = await first.connect();
  const waiting = new Promise<string>((resolve) => {
    connection.on("chat.tool", ({ event }) => {
      if (event.type === "model.retrying") resolve(event.code);
    });
  });
  await connection.call("chat.send", { chat: "c", text: "hello" });
  expect(await waiting).toBe("model.rate_limited");
  const [run] = await connection.call("runs.list", {});
  const id = run?.run_id ?? "";
  const { waits } = await connection.call("runs.show", { id });
  await first.kill();

  const second = await startServiceProcess({ home: jobs.home, env: jobs.env });
  const again = await second.connect();
  const { waits: kept } = await again.call("runs.show", { id });
  // A busy machine may need longer than that to start.
  const isOver = Date.now() - (asked[0] ?? 0) >= waitMs;
  expect(isOver ? waits : kept).toEqual(waits);
  const answered = new Promise((resolve) => again.on("chat.end", resolve));
  await again.call("chat.follow", { chat: "d", run: id });
  expect(await answered).toMatchObject({
    event: { status: "done", reply: "Hello.", usage: { calls: 1 } },
  });
  expect(asked).toHaveLength(2);
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(waitMs);
  again.close();
  await second.stop();
  await jobs.close();
});
