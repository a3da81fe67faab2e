import { expect, it } from "vitest";
import type { SidecarEvent } from "../../src/schema/shown/news.ts";
import { auditRow } from "./support/audit-of-a-day.ts";
import { dayStart, modelOfADay } from "./support/model-of-a-day.ts";
import { sessionRecord } from "./support/records-of-a-day.ts";
import { stage } from "./support/stage.ts";

const at = new Date(dayStart).toISOString();
const tool = (trace_id: string, name: string): SidecarEvent => ({
  type: "ToolExecuted",
  seq: 44,
  at,
  channel_type: "local",
  connector_id: "local",
  conversation_scope: "cli",
  user_scope: "owner",
  agent_id: "main",
  session_id: "s1",
  trace_id,
  task_id: null,
  run_id: null,
  tool_call_id: "c1",
  tool: name,
  status: "done",
  duration_ms: 3,
});

const twoTraces = () => {
  const model = modelOfADay();
  model.events.add([tool("t-cli", "near_tool"), tool("t-tg", "far_tool")]);
  model.logs.add([{ time: at, level: "info", message: "near record", trace_id: "t-cli" }]);
  return model;
};
const audit = [
  auditRow(2, { tool: "near_tool" }),
  auditRow(1, { tool: "far_tool", trace_id: "t-tg" }),
];

it.each([
  ["actors", "1", /run r7/, /run r3|tg_main/],
  ["sessions", "2", /cli/, /tg_main/],
  ["runs", "3", /r7/, /r3/],
  ["approvals", "4", /todo\.txt/, /far_tool/],
  ["bus", "5", /near_tool/, /far_tool/],
  ["logs", "6", /near record/, /a run failed/],
  ["audit", "8", /near_tool/, /far_tool/],
])("one trace narrows every pane of %s", async (_view, key, near, far) => {
  const on = stage({ model: twoTraces, answers: { "audit.query": () => audit } });
  await on.press(key);
  on.tui.trace = "t-cli";
  on.tui.changed();
  await on.settled();
  const narrowed = on.rows().slice(2, -2).join("\n");
  expect(narrowed).toMatch(near);
  expect(narrowed).not.toMatch(far);
  expect(on.rows().at(-2)).toContain("only trace t-cli (T: all)");
});

it("one trace narrows the chat to what its runs said", async () => {
  const message = (run_id: string, text: string) => ({
    role: "user" as const,
    content: [{ type: "text", text }],
    run_id,
    at,
  });
  const messages = [message("r7", "near words"), message("r3", "far words")];
  const on = stage({
    model: twoTraces,
    answers: {
      "sessions.show": () => ({ ...sessionRecord("s1"), messages }),
    },
  });
  await on.press("7");
  expect(on.rows().join("\n")).toMatch(/near words[\s\S]*far words/);
  on.tui.trace = "t-cli";
  on.tui.changed();
  await on.settled();
  expect(on.rows().join("\n")).toContain("near words");
  expect(on.rows().join("\n")).not.toContain("far words");
});
