import { describe, expect, it } from "vitest";
import { HiveModel } from "../../../src/web/page/hive-model.ts";
import { Selection } from "../../../src/web/page/selection.ts";
import { actor, run, session, step } from "../inspected-hive.ts";

const done = { status: "done", value: "done", context: {} } as const;

function attachedModel(): HiveModel {
  const model = new HiveModel();
  model.hear({ type: "attached", actors: [actor(session), actor(run, { seq: 5 })] }, 0);
  return model;
}

describe("what the page knows", () => {
  it("takes no older step for the present", () => {
    const model = attachedModel();
    model.hear({ type: "news", actors: [], steps: [step(run, { seq: 4 })], dropped: 0 }, 0);
    expect(model.actors.get(run)?.snapshot.value).toBe("idle");
    expect(model.happenings.length).toBe(1);
  });

  it("lets whoever has ended out of the tree after ten seconds, and still shows its steps", () => {
    const model = attachedModel();
    const selection = new Selection();
    const ending = step(run, { seq: 6, snapshot: done });
    model.hear({ type: "news", actors: [], steps: [ending], dropped: 0 }, 1_000);
    expect(model.clearEnded(11_000)).toBe(false);
    expect(model.clearEnded(11_001)).toBe(true);
    expect(model.tree().map(({ actor: { address } }) => address)).toEqual([session]);
    expect(model.known(run)?.snapshot.status).toBe("done");
    selection.choose(run, ending);
    selection.stay(model);
    expect(selection.address).toBe(run);
    selection.follow(true);
    selection.stay(model);
    expect(selection.address).toBe(session);
  });

  it("keeps whoever was set aside in the tree", () => {
    const model = attachedModel();
    const snapshot = { status: "quarantined", value: "idle", context: {} } as const;
    model.hear(
      { type: "news", actors: [], steps: [step(run, { seq: 6, snapshot })], dropped: 0 },
      0,
    );
    expect(model.clearEnded(60_000)).toBe(false);
    expect(model.actors.get(run)?.snapshot.status).toBe("quarantined");
  });

  it("remembers a bounded number of steps and of those that have ended", () => {
    const model = attachedModel();
    for (let seq = 10; seq < 2_000; seq += 1) {
      const address = `session/k/run/r${seq}`;
      const steps = [step(address, { seq, snapshot: done })];
      model.hear({ type: "news", actors: [actor(address)], steps, dropped: 0 }, seq);
    }
    model.clearEnded(100_000);
    expect([model.happenings.length, model.steps.length]).toEqual([500, 500]);
    expect(model.known("session/k/run/r10")).toBeUndefined();
    expect(model.known("session/k/run/r1999")?.endedAt).toBe(1_999);
  });

  it("puts an actor under the one above it that is shown", () => {
    const model = new HiveModel();
    const call = `${run}/call/c7-0`;
    model.hear({ type: "attached", actors: [actor(run), actor(call, { parent: run })] }, 0);
    expect(model.tree().map(({ level }) => level)).toEqual([1, 2]);
  });
});
