import { expect, it } from "vitest";
import { statusHandlers, type StatusOptions } from "../../../src/app/api/status.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { decide } from "../../actors/hive-watch.ts";
import { homeWith, loadedFrom } from "../../config/homes.ts";
import { chatOf } from "../../security/approval-desk.ts";
import { createTestHive } from "../../support/hive.ts";

const write = 'call file_write {"path":"a.txt","content":"x"}';

it("counts what waits for a person without reading it", async () => {
  const hive = await createTestHive();
  for (const name of ["one", "two", "three"]) await hive.say(write, chatOf("local", name));
  await hive.engine.settled();
  const { config } = loadedFrom(homeWith({}));
  const { engine, clock } = hive;
  const { read } = engine;
  const selected: string[] = [];
  const select: typeof read.select = (table, query) => {
    selected.push(table.name);
    return read.select(table, query);
  };
  const { status } = statusHandlers({
    engine: { ...engine, read: { ...read, select } },
    clock,
    version: "0",
    startedAt: 0,
    bus: createNewsBus(engine),
    live: {
      now: () => config,
      broken: () => undefined,
      agents: new Map(),
      models: { resolve: () => ({ provider: { id: "offline" }, model: "rules" }) },
    },
    sidecar: { alerts: { list: () => [] }, metrics: { show: () => ({}) } },
    logFile: { path: "", lost: 0 },
    memory: () => Promise.reject(new AgentError("memory.unavailable", "no index here")),
    shutdown: () => {},
  } as unknown as StatusOptions);
  expect(await status({}, {} as never)).toMatchObject({ approvals: 3 });
  expect(selected).not.toContain("approvals");
  await decide(hive);
  await engine.settled();
  expect(await status({}, {} as never)).toMatchObject({ approvals: 2 });
});
