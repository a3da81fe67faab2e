import { describe, expect, it } from "vitest";
import { actorTable } from "../../../src/engine/tables.ts";
import { sessionTable } from "../../../src/schema/rows/session-rows.ts";
import { chosenAgentTable } from "../../../src/schema/rows/channel-rows.ts";
import type { ModelProvider } from "../../../src/ports/model.ts";
import type { InboundUpdate } from "../../../src/schema/inbound.ts";
import { runTable } from "../../../src/schema/rows/run-rows.ts";
import { createChannelHive, says, testSettings } from "../../support/channel-hive.ts";
import { heldModel } from "../../support/held-model.ts";
import { agentWith, fixedAgents } from "../test-agents.ts";

const doorway = { ...testSettings.doorway, agents: ["ops"] };

/** `main`, called Main, and `ops`, called Ops, which a person may choose. */
async function twoAgents(provider?: ModelProvider) {
  const model = provider === undefined ? {} : { model: () => ({ provider, model: "rules" }) };
  const named = (id: string, public_label: string) =>
    agentWith({ id, config: { id, identity: { public_label } }, ...model });
  const agents = fixedAgents(named("main", "Main"), named("ops", "Ops"));
  const hive = await createChannelHive({ agents, settings: { ...testSettings, doorway } });
  const { engine, channel, heard } = hive;
  return {
    ...hive,
    /** @returns what is said in answer */
    async ask(...updates: InboundUpdate[]) {
      const before = heard().length;
      await channel.put(...updates);
      await engine.settled();
      return heard().slice(before);
    },
    runs: async () => {
      const rows = await engine.read.select(runTable, { index: "by_started" });
      return rows.map(({ agent_id, state }) => `${agent_id} ${state}`);
    },
    sessions: async () => {
      const rows = await engine.read.select(sessionTable, { index: "by_last" });
      return rows.map(({ agent_id, state }) => `${agent_id} ${state}`);
    },
  };
}

const help = `Main answers here. Commands:
/new: begin a new conversation
/stop: stop what I am doing
/status: what I am doing, and what waits
/approvals: show again what waits for a decision
/agent: who answers here; with a name, choose another
/help: what I understand`;

describe("a command in a chat", () => {
  it("is answered by the service, and told to no agent", async () => {
    const { ask, runs } = await twoAgents();
    expect(await ask(says("/help"))).toEqual([help]);
    expect(await ask(says("/start"))).toEqual([
      "Hello. I am Main. Write what you want, or send a file.\n/help lists the commands.",
    ]);
    expect(await ask(says("/deploy now"))).toEqual([
      "I do not know /deploy, and have not passed it on. /help lists what I understand.",
    ]);
    expect(await ask(says("/toString"))).toHaveLength(1);
    expect(await ask(says("/HELP"))).toEqual([help]);
    expect(await ask(says("/status"))).toEqual([
      "Main answers here.\nNothing is being done.\nConnection tg: polling.",
    ]);
    expect(await runs()).toEqual([]);
  });

  it("shows in a group what it answers, and what is heard there", async () => {
    const { ask, channel } = await twoAgents();
    const [answer] = await ask(says("/help", { chat: "-100", update: "77" }));
    expect(answer).toContain("In a group I hear only what mentions me");
    expect(channel.messages.at(-1)).toMatchObject({ scope: "-100", reply_to: "m77" });
  });
});

describe("/new", () => {
  it("closes the conversation, so that the next message begins another", async () => {
    const { ask, sessions } = await twoAgents();
    expect(await ask(says("/new"))).toEqual([
      "No conversation is open; your next message begins one.",
    ]);
    await ask(says("hello"));
    expect(await ask(says("/new"))).toEqual(["A new conversation begins."]);
    expect(await sessions()).toEqual(["main closed"]);
    await ask(says("hello"));
    expect(await sessions()).toEqual(["main closed", "main open"]);
    expect(await ask(says("/new"), says("hello again"))).toEqual([
      "A new conversation begins.",
      expect.stringContaining("offline"),
    ]);
    expect(await sessions()).toEqual(["main closed", "main closed", "main open"]);
  });

  it("stops what runs, and tells of what waited", async () => {
    const model = heldModel();
    const { ask, channel, engine, runs, heard } = await twoAgents(model.provider);
    await channel.put(says("long work"));
    await model.next();
    await channel.put(says("and this"), says("/new"), says("too early"));
    await engine.settled();
    expect(heard()).toEqual([
      "I stop what I was doing. A new conversation begins.",
      "I am still stopping what I did before, and have not taken this message. Send it again once I have said that I stopped.",
      "Stopped.",
      "The message that waited here was not answered: the conversation was closed before.",
    ]);
    expect(await runs()).toEqual(["main cancelled"]);
    expect(await ask(says("/status"))).toEqual([expect.stringContaining("Nothing is being done.")]);
  });
});

describe("a conversation that a fault has set aside", () => {
  it("takes no message, and its person hears how it can go on", async () => {
    const { ask, engine, store } = await twoAgents();
    await ask(says("hello"));
    const [session] = await engine.read.select(sessionTable, { index: "by_last" });
    store.begin();
    store.patch(actorTable, [session?.address ?? ""], { status: "quarantined" });
    await store.commit();
    expect(await ask(says("/new"))).toEqual([
      `This conversation was set aside after a fault inside statehive. My owner can close it: statehive sessions reset ${session?.session_id}`,
    ]);
  });
});

describe("/stop", () => {
  it("stops what runs, which says so itself", async () => {
    const model = heldModel();
    const { ask, channel, runs } = await twoAgents(model.provider);
    expect(await ask(says("/stop"))).toEqual(["Nothing is being done."]);
    await channel.put(says("long work"));
    await model.next();
    expect(await ask(says("/stop"))).toEqual(["Stopped."]);
    expect(await runs()).toEqual(["main cancelled"]);
  });

  it("stops what came in with it, before it", async () => {
    const model = heldModel();
    const { ask, runs } = await twoAgents(model.provider);
    expect(await ask(says("long work"), says("/stop"))).toEqual(["Stopped."]);
    expect(await runs()).toEqual(["main cancelled"]);
  });

  it("says what comes next, and lets that end its step when told so", async () => {
    const model = heldModel();
    const { channel, engine, heard, runs } = await twoAgents(model.provider);
    await channel.put(says("long work"), says("more work"));
    await model.next();
    await channel.put(says("/stop"));
    const more = await model.next();
    await channel.put(says("/stop after"));
    more.calls("file_list", {});
    await engine.settled();
    expect(heard()).toEqual([
      "I stop. 1 message waits and comes next; /new drops what waits.",
      "Stopped.",
      "I stop after the present step.",
      "I stopped there, as asked.",
    ]);
    expect(await runs()).toEqual(["main cancelled", "main cancelled"]);
  });

  it("is the same as the channel's own button, which leads to no words of its own", async () => {
    const model = heldModel();
    const { ask, channel, runs } = await twoAgents(model.provider);
    const stop = { ...says(""), what: { kind: "stop" } as const };
    expect(await ask(stop)).toEqual([]);
    await channel.put(says("long work"));
    await model.next();
    expect(await ask({ ...stop, update_id: "stop-2" })).toEqual(["Stopped."]);
    expect(await runs()).toEqual(["main cancelled"]);
  });

  it("stops the work of an agent that was chosen before, too", async () => {
    const model = heldModel();
    const { channel, engine, heard, runs } = await twoAgents(model.provider);
    await channel.put(says("long work"));
    await model.next();
    await channel.put(says("/agent ops"));
    await channel.put(says("other work"));
    await model.next();
    await channel.put(says("/status"));
    await channel.put(says("/stop"));
    await engine.settled();
    expect(heard()).toEqual([
      "From now on Ops answers you here. Main still works on what you asked before.",
      expect.stringMatching(
        /^Ops answers here\.\nOps thinks; begun 0s ago \(r\d+\)\.\nMain thinks; begun 0s ago \(r\d+\)\.\nConnection tg: polling\.$/,
      ),
      "Stopped.",
      "Stopped.",
    ]);
    expect(await runs()).toEqual(["main cancelled", "ops cancelled"]);
  });

  it("stops only what its person has begun", async () => {
    const model = heldModel();
    const { ask, channel, runs } = await twoAgents(model.provider);
    await channel.put(says("long work", { chat: "-100" }));
    const work = await model.next();
    await channel.put(
      says("/stop", { chat: "-100", from: "1002" }),
      says("/stop", { from: "1001" }),
    );
    expect(await runs()).toEqual(["main null"]);
    work.says("Done.");
    expect(await ask()).toContain("Done.");
  });
});

describe("/agent", () => {
  it("says who answers and who could, and chooses for this person in this conversation", async () => {
    const { ask, engine, sessions } = await twoAgents();
    expect(await ask(says("/agent"))).toEqual([
      "Main answers here. To have another answer you:\n/agent ops (Ops)",
    ]);
    expect(await ask(says("/agent root"))).toEqual([
      "No agent that you can choose is called root.\nMain answers here. To have another answer you:\n/agent ops (Ops)",
    ]);
    expect(await ask(says("/agent OPS"), says("hello"))).toEqual([
      "From now on Ops answers you here.",
      expect.stringContaining("offline"),
    ]);
    expect(await sessions()).toEqual(["ops open"]);
    expect(await ask(says("/agent ops"))).toEqual(["Ops answers here already."]);
    await ask(says("hello", { chat: "-100" }), says("hello", { from: "1002" }));
    expect(await sessions()).toEqual(["ops open", "main open", "main open"]);
    expect(await ask(says("/agent Main"))).toEqual(["From now on Main answers you here."]);
    expect(await engine.read.select(chosenAgentTable, { index: "key" })).toMatchObject([
      { connector_id: "tg", scope: "1001", user_scope: "1001", agent_id: "main" },
    ]);
  });
});

describe("/approvals", () => {
  it("posts again what waits in this conversation, and nothing of others", async () => {
    const { ask, clock } = await twoAgents();
    expect(await ask(says("/approvals"))).toEqual(["Nothing waits for a decision."]);
    const [question] = await ask(says("write a to a.txt"));
    expect(question).toContain("Write 1 byte");
    expect(await ask(says("/approvals"))).toEqual(["What waits has just been posted, above."]);
    clock.advance(60_000);
    expect(await ask(says("/approvals"))).toEqual([question]);
    expect(await ask(says("/status"))).toEqual([
      expect.stringContaining("Main waits for a decision"),
    ]);
    expect(await ask(says("/status"))).toEqual([
      expect.stringContaining("1 question waits for a decision: /approvals."),
    ]);
    expect(await ask(says("/approvals", { chat: "-100" }))).toEqual([
      "Nothing waits for a decision.",
    ]);
  });
});
