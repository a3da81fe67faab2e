import { expect, it } from "vitest";
import { episodeMachine } from "../../src/machines/episode/episode.machine.ts";
import type { EpisodeContext } from "../../src/schema/contexts/episode-context.ts";
import { type Walk, walk } from "./kernel-walk.ts";

/** Everything that can happen to the account of a conversation that has ended. */

type Ledger = { readonly written: number };

const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 };
const fault = { error: { code: "model.unreachable", message: "It is gone.", retryable: true } };
const told = (text: string | null) => ({ output: { text, usage, model: "m" } });

const plan: Walk<Ledger> = {
  machine: episodeMachine,
  input: {
    session_id: "s1",
    session_address: "session/k",
    agent_id: "main",
    partition: "main/cli",
    at: 0,
    origins: ["user:ann"],
  },
  ledger: { written: 0 },
  moves: () => [{ type: "episode.begin" }],
  settlements: {
    summarizeSession: { settled: [told("They met."), told(null), fault], stopped: [] },
    changeMemory: { settled: [{ output: { changed: [], rewritten: [] } }, fault], stopped: [] },
  },
  count: ({ effects }, { written }) => ({
    written:
      written +
      effects.filter((effect) => effect.kind === "activity" && effect.src === "changeMemory")
        .length,
  }),
  key: ({ text, error }: EpisodeContext) => [text, error?.code],
  laws: {
    "nothing is written but what the model has told": ({ ledger, actor }) =>
      ledger.written === 0 || (actor.snapshot.context as EpisodeContext).text !== null,
    "it is written once at most": ({ ledger }) => ledger.written <= 1,
    "one that failed says why": ({ state, actor }) =>
      (state === "failed") === ((actor.snapshot.context as EpisodeContext).error !== null),
  },
};

it("reaches every state, takes every transition and keeps every law", () => {
  const { unreached, untaken, breaches } = walk(plan);
  expect({ unreached, untaken, breaches }).toEqual({ unreached: [], untaken: [], breaches: {} });
});

it("breaks a law where what is not worth keeping is written", () => {
  const machine = episodeMachine.provide({ guards: { isWorthKeeping: () => true } });
  expect(Object.keys(walk({ ...plan, machine }).breaches)).toEqual([
    "nothing is written but what the model has told",
  ]);
});
