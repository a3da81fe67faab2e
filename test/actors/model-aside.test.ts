import { beforeEach, describe, expect, it } from "vitest";
import { createModelAside } from "../../src/actors/model-aside.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { noAmounts, noBudget } from "../../src/schema/budget.ts";
import { budgetHoldTable } from "../../src/schema/rows/budget-rows.ts";
import type { Json } from "../../src/schema/json.ts";
import type { LlmRequest } from "../../src/schema/llm.ts";
import { modelCallTable, usageTotalTable } from "../../src/schema/rows/model-rows.ts";
import { agentWith, fixedAgents, providerOf } from "./test-agents.ts";

/** One question to an agent's model outside a run. */

const work = { agent_id: "main", session_id: "s1", work_id: "compaction/s1" };
const size = { inputTokens: 100, maxTokens: 50 };
const attempt = { key: "a1", at: 0 };
const call = { signal: new AbortController().signal, key: "a1" };
const question = { agent_id: "main", system: "Sum up.", prompt: "the secret", maxTokens: 50 };

const asideWith = (changes: Parameters<typeof agentWith>[0], requests: LlmRequest[] = []) => {
  const provider = providerOf((request) => {
    requests.push(request);
    return { input_tokens: 7, output_tokens: 3 };
  });
  const agents = fixedAgents(
    agentWith({ model: () => ({ provider, model: "m" }), ...changes }),
    agentWith({ id: "offline" }),
    agentWith({ id: "off", enabled: false }),
  );
  const hide = (value: Json) =>
    typeof value === "string" ? value.replace("secret", "[redacted]") : value;
  return createModelAside({
    agents,
    costOf: () => 5,
    dayBudget: () => noAmounts,
    redact: hide as never,
  });
};

let store: RowStore;
beforeEach(() => {
  store = createMemoryStore({ tables: allTables });
  store.begin();
});

const settledWith = (output: Json, isLost = false) => ({
  ...attempt,
  address: "session/k",
  input: {},
  trace: "t1",
  attempt: 1,
  settlement: { ok: true, output } as const,
  isLost,
});

describe("a question aside", () => {
  it("is asked without tools, redacted, and answered in words", async () => {
    const requests: LlmRequest[] = [];
    const answer = await asideWith({}, requests).ask(question, call);
    expect(answer).toEqual({
      text: "Yes.",
      isCut: false,
      model: "fake/m",
      usage: { input_tokens: 7, output_tokens: 3, cache_read_tokens: 0, cache_write_tokens: 0 },
    });
    expect(requests).toEqual([
      {
        model: "m",
        system: "Sum up.",
        messages: [{ role: "user", content: [{ type: "text", text: "the [redacted]" }] }],
        tools: [],
        max_tokens: 50,
      },
    ]);
  });

  it("is held against the session's budget while it is under way, and counted as it ends", () => {
    const tight = { ...noBudget, session: { tokens: 160, usd: null } };
    const aside = asideWith({ budget: tight });
    expect(aside.admit(store, { ...work, ...size }, attempt)).toBeUndefined();
    expect(store.get(budgetHoldTable, "a1")?.tokens).toBe(150);
    expect(aside.admit(store, { ...work, ...size }, { ...attempt, key: "a2" })?.code).toBe(
      "budget.exceeded",
    );
    const usage = {
      input_tokens: 7,
      output_tokens: 3,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
    };
    aside.settled(store, settledWith({ model: "fake/m", usage }), work);
    expect(store.get(budgetHoldTable, "a1")).toBeUndefined();
    expect(store.get(usageTotalTable, "session/s1")?.output_tokens).toBe(3);
    expect(store.get(modelCallTable, 1)?.run_id).toBe("compaction/s1");
  });

  it("is no question of a run's budget, and of no session's where none asks", () => {
    const budget = {
      ...noBudget,
      run: { tokens: 1, usd: null },
      session: { tokens: 1, usd: null },
    };
    const aside = asideWith({ budget });
    const alone = { ...work, session_id: null, work_id: "consolidation/1" };
    expect(aside.admit(store, { ...alone, ...size }, attempt)).toBeUndefined();
    const usage = { input_tokens: 7, output_tokens: 3 };
    aside.settled(store, settledWith({ model: "fake/m", usage }), alone);
    const totals = store.select(usageTotalTable, { index: "key" }).map(({ scope }) => scope);
    expect(totals).not.toContain("session/");
  });

  it.each([
    ["offline", "model.rules_only"],
    ["off", "agent.disabled"],
    ["gone", "agent.not_found"],
  ])("is not asked of the agent %s", async (agent_id, code) => {
    const aside = asideWith({});
    expect(aside.canAnswer(agent_id)).toBe(false);
    expect(aside.admit(store, { ...work, ...size, agent_id }, attempt)?.code).toBe(code);
    await expect(aside.ask({ ...question, agent_id }, call)).rejects.toMatchObject({ code });
  });
});
