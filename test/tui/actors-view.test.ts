import { describe, expect, it } from "vitest";
import { showChart } from "../../src/app/charts.ts";
import type { ActorDetails } from "../../src/schema/shown/actor-view.ts";
import type { Answers } from "./support/stage.ts";
import { stage } from "./support/stage.ts";
import { expectGolden } from "./support/golden.ts";
import { modelOfADay } from "./support/model-of-a-day.ts";

const details = (address: string): ActorDetails => {
  const row = modelOfADay().actors.get(address);
  if (row === undefined) throw new Error(`nobody lives at ${address}`);
  return {
    ...row,
    version: "3",
    seq: 41,
    created_at: row.since,
    active: ["", row.state],
    context: {
      text: "write buy milk\u001b[2J to todo.txt",
      calls: [{ id: "c9-0", tool: "file_write" }],
    },
    next_events: [
      {
        type: "run.cancel",
        pokeable: true,
        description: "The run ends as cancelled.",
        payload: {
          type: "object",
          properties: { reason: { type: "string" }, after: { type: "integer" } },
        },
        targets: ["cancelling"],
      },
      {
        type: "call.changed",
        pokeable: false,
        description: "A call has another state.",
        payload: null,
        targets: [],
      },
    ],
    timers: [{ name: "runDeadline", at: "2026-01-05T12:29:56.000Z", event: "after runDeadline" }],
    activities: [],
    children: 2,
    error: null,
  };
};

const answers: Answers = {
  "actor.get": ({ address }: { address: string }) => details(address),
  "machines.show": ({ name }: { name: string }) => showChart(name),
  "actor.send": () => ({ seq: 42, outcome: "handled", state: "cancelling" }),
};

const toTheRun = ["down", "down"];

describe("the view of actors", () => {
  it("shows the tree with states, and the chosen one's chart with what is active", async () => {
    await expectGolden("actors", { answers }, (on) => on.press(...toTheRun));
  });

  it("names each actor in whole on 100 columns", async () => {
    const on = stage({ size: { columns: 100, rows: 30 } });
    await on.settled();
    const rows = on.rows().join("\n");
    expect(rows).toMatch(/call c9-0 .*awaiting_approval .*\n.* approval a25 .*pending +│/);
  });

  it("tells when an actor was made apart from since when it is in its state", async () => {
    const on = stage({ answers, size: { columns: 200, rows: 60 } });
    await on.press(...toTheRun);
    expect(on.rows().join("\n")).toMatch(/made 2026-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(on.rows().join("\n")).not.toContain("since 2026");
  });

  it("says in the help how the service is stopped, and on 80 columns how to come back", async () => {
    const on = stage({ size: { columns: 80, rows: 40 } });
    await on.press("?");
    expect(on.rows().join("\n")).toContain('the service; "statehive stop" does.');
    expect(on.rows().at(-1)).toContain("Esc back");
  });

  it("asks for nothing but the chosen actor, and not for each of its changes", async () => {
    const on = stage({ answers });
    await on.press(...toTheRun);
    on.asked.length = 0;
    const row = on.model.actors.all().filter(({ kind }) => kind === "run");
    for (let times = 0; times < 20; times += 1) {
      on.model.actors.apply(row, on.clock.now());
      on.tui.changed();
    }
    await on.settled();
    expect(on.asked.length).toBeLessThanOrEqual(2);
  });

  it("filters by words and fields, and keeps what stands above", async () => {
    const on = stage({ answers });
    await on.press("/");
    await on.type("state:pending");
    expect(on.rows().join("\n")).toMatch(
      /system[\s\S]*session cli[\s\S]*run r7[\s\S]*approval a25/,
    );
    expect(on.rows().join("\n")).not.toContain("tg_main");
    await on.press("escape");
    expect(on.rows().join("\n")).toContain("tg_main");
  });

  it("shows only one trace in every pane after t, and all after T", async () => {
    const on = stage({ answers });
    await on.press(...toTheRun, "t");
    expect(on.tui.trace).toBe("t-cli");
    expect(on.rows().join("\n")).not.toContain("tg_main");
    await on.press("T");
    expect(on.rows().join("\n")).toContain("tg_main");
  });

  it("sends an accepted event with its payload, and offers no other", async () => {
    const on = stage({ answers });
    await on.press(...toTheRun, "e", "down", "enter");
    expect(on.asked.map(({ method }) => method)).not.toContain("actor.send");
    await on.press("up", "enter");
    await on.type("too slow");
    await on.press("tab");
    await on.type("x");
    await on.press("enter");
    expect(on.rows().join("\n")).toContain("after: this is no integer");
    await on.press("backspace", "3", "enter");
    expect(on.asked.at(-1)).toEqual({
      method: "actor.send",
      params: {
        address: "session/local:local:cli:owner:main/run/r7",
        event: "run.cancel",
        payload: { reason: "too slow", after: 3 },
      },
    });
    expect(on.rows().at(-2)).toContain("run.cancel was handled; the actor is cancelling");
  });

  it("lists all that can be done with the chosen actor, by kind", async () => {
    const on = stage({ answers });
    await on.press(...toTheRun, "x");
    expect(on.rows().join("\n")).toMatch(
      /send event[\s\S]*cancel[\s\S]*write JSON[\s\S]*open[\s\S]*replay/,
    );
    await on.press("escape", "home", "x");
    expect(on.rows().join("\n")).not.toContain("its run, step by step");
    await on.press("escape", ...toTheRun, "o");
    expect(on.rows().join("\n")).toContain("─ run r7 ");
  });

  it("takes no paste for keys", async () => {
    const on = stage({ answers });
    await on.press(...toTheRun);
    await on.paste("q\nc\nq");
    expect(on.hasLeft()).toBe(false);
    expect(on.rows().at(-2)).toContain("pasted text is taken only where text is typed");
  });
});

it("leaves by q, not while something lies over the panes", async () => {
  const on = stage({ answers });
  await on.press("?", "q");
  expect(on.hasLeft()).toBe(false);
  await on.press("q");
  expect(on.hasLeft()).toBe(true);
});
