import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Connection } from "../../src/client/connection.ts";
import { initHome } from "../../src/config/home.ts";
import type { Results, ShownApproval } from "../../src/schema/socket/protocol.ts";
import { bubblewrap, processesWith } from "../adapters/sandbox/sandboxed.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { nonce } from "../support/nonce.ts";

/** Commands through a real service process, its offline model and a real sandbox. */

type Place = {
  readonly home: string;
  readonly workspace: string;
  start(): Promise<{ readonly service: ServiceProcess; readonly connection: Connection }>;
};

function newPlace(): Place {
  const home = mkdtempSync(join(tmpdir(), "statehive-shell-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  initHome(home);
  const workspace = join(home, "workspace/main");
  mkdirSync(workspace, { recursive: true });
  const start = async () => {
    const service = await startServiceProcess({ home, env: {} });
    const connection = await service.connect();
    onTestFinished(async () => {
      connection.close();
      await service.kill();
    });
    return { service, connection };
  };
  return { home, workspace, start };
}

/** Asks again until there is an answer; the service works meanwhile. */
async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await look();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function pending(connection: Connection, kind: ShownApproval["kind"]): Promise<ShownApproval> {
  return until(async () => {
    const open = await connection.call("approvals.list", {});
    return open.find((approval) => approval.kind === kind);
  });
}

async function ask(connection: Connection, command: string): Promise<ShownApproval> {
  const text = `call shell_exec ${JSON.stringify({ command })}`;
  await connection.call("chat.send", { chat: "c", text });
  return pending(connection, "call");
}

async function approve(connection: Connection, { id }: ShownApproval): Promise<void> {
  await connection.call("approvals.decide", { id, decision: "approve" });
}

function ended(connection: Connection): Promise<Results["runs.list"][number]> {
  return until(async () => {
    const [run] = await connection.call("runs.list", {});
    return typeof run?.ended_at === "string" ? run : undefined;
  });
}

const running = (marker: string) =>
  until(() => (processesWith(marker, "sleep").length > 1 ? true : undefined));
const gone = (marker: string) =>
  until(() => (processesWith(marker).length === 0 ? true : undefined));

describe.skipIf(!bubblewrap.ok)("a command of an agent", () => {
  it("runs after a person allowed it, in the workspace, without the home in its sight", async () => {
    const { home, workspace, start } = newPlace();
    writeFileSync(join(workspace, "a.txt"), "buy milk\n");
    const { connection } = await start();
    const approval = await ask(
      connection,
      `cat a.txt; ls -A /workspace ${home} ${home}/data 2>&1 | grep -c statehive.db`,
    );
    expect(approval).toMatchObject({
      tool: "shell_exec",
      risk: "unsafe",
      requested: ["shell.exec:sh -c"],
      proposed_grants: [],
    });
    await approve(connection, approval);
    expect(await ended(connection)).toMatchObject({
      state: "done",
      reply: expect.stringContaining("buy milk\n0\n\n[exit code 1]"),
    });
  });

  it("is killed with all that it started when its run is cancelled", async () => {
    const { start } = newPlace();
    const { connection } = await start();
    const marker = nonce();
    await approve(connection, await ask(connection, `setsid sleep 1${marker} & sleep 2${marker}`));
    await running(marker);
    const [run] = await connection.call("runs.list", {});
    const toldAt = performance.now();
    await connection.call("runs.cancel", { id: run?.run_id ?? "" });
    await gone(marker);
    expect(performance.now() - toldAt).toBeLessThan(15_000);
    expect(await ended(connection)).toMatchObject({ state: "cancelled" });
    const rows = await connection.call("audit.query", { tool: "shell_exec" });
    expect(rows.map(({ kind, status }) => [kind, status])).toEqual(
      expect.arrayContaining([
        ["decision", "approved"],
        ["invocation", "cancelled"],
      ]),
    );
  });

  it("dies with a service that is killed; the next one asks what became of it", async () => {
    const { start } = newPlace();
    const first = await start();
    const marker = nonce();
    await approve(
      first.connection,
      await ask(first.connection, `setsid sleep 1${marker} & sleep 2${marker}`),
    );
    await running(marker);
    await first.service.kill();
    await gone(marker);

    const second = await start();
    const question = await pending(second.connection, "outcome");
    expect(question).toMatchObject({ tool: "shell_exec", options: ["retry", "skip", "done"] });
    await second.connection.call("approvals.answer", { id: question.id, value: "skip" });
    expect(await ended(second.connection)).toMatchObject({
      reply: expect.stringContaining("activity.outcome_unknown"),
    });
    expect(processesWith(marker)).toEqual([]);
  });
});
