import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { FakeChannel, type SeenMessage } from "../../../src/adapters/channel/fake-channel.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { memoryDisk } from "../../support/disks.ts";
import { tappedCard } from "../../../src/actors/channel/intake/intake-button.ts";
import { deliveryTable } from "../../../src/schema/rows/channel-rows.ts";
import { says } from "../../support/channel-hive.ts";
import { approvals, audit, decide, pendingApproval } from "../hive-watch.ts";
import {
  ask,
  cards,
  type Desk,
  happens,
  onlyCard,
  openDesk,
  refusals,
  states,
  taps,
  tell,
  textOf,
  waits,
  write,
  writeOther,
} from "./question-desk.ts";

/** Who decides by a tap, and what does not count. */

async function asked(text = write, from = "1001"): Promise<{ desk: Desk; card: SeenMessage }> {
  const desk = await openDesk();
  await tell(desk, text, { from });
  return { desk, card: onlyCard(desk) };
}

/** Shows a message at once, and answers that it did when it is told to. */
class SlowChannel extends FakeChannel {
  release: () => void = () => {};
  private held: { readonly shown: () => void; readonly answer: Promise<void> } | undefined;

  holdNext(): Promise<void> {
    return new Promise((shown) => {
      this.held = { shown, answer: new Promise((release) => (this.release = release)) };
    });
  }

  override async send(...sent: Parameters<FakeChannel["send"]>) {
    const { held } = this;
    this.held = undefined;
    const answer = await super.send(...sent);
    held?.shown();
    await held?.answer;
    return answer;
  }
}

const reply = async (desk: Desk) => (await desk.lastRun())?.reply ?? "";

it("lets a tap of an approver run the call, says so on the button, and on the card", async () => {
  const { desk, card } = await asked();
  await happens(desk, taps(card, "Allow once"));
  expect(await approvals(desk)).toMatchObject([
    { state: "approved", scope: "once", decided_by: "tg:1001" },
  ]);
  expect(await desk.words()).toEqual(["Allowed once"]);
  expect(textOf(onlyCard(desk))).toMatch(/^Approval a\d+ \(approved by tg:1001\)\n/);
  expect(onlyCard(desk).buttons).toEqual([]);
  expect(await reply(desk)).toContain("a.txt");
  const [decision] = await audit(desk);
  expect(decision).toMatchObject({ decided_by: "tg:1001", approval_result: "approved" });
});

it("asks nobody again in the session after a tap for it", async () => {
  const { desk, card } = await asked();
  await happens(desk, taps(card, "For this session"));
  await tell(desk, write);
  expect(await desk.words()).toEqual(["Allowed for this session"]);
  expect(await approvals(desk)).toHaveLength(1);
  expect(textOf(onlyCard(desk))).toContain("approved for the session");
});

it("does not run a call that a tap denies", async () => {
  const { desk, card } = await asked();
  await happens(desk, taps(card, "Deny"));
  expect(await desk.words()).toEqual(["Denied"]);
  expect(await states(desk)).toEqual(["denied"]);
});

describe("A01: the same tap again", () => {
  it("counts once, as two taps at once, and as the same update twice", async () => {
    const { desk, card } = await asked();
    const same = taps(card, "Allow once", { update: "one" });
    await happens(desk, same, taps(card, "Allow once"), same);
    await waits(desk, 1_000);
    await happens(desk, same);
    expect(await desk.words()).toEqual(["Allowed once", "Allowed once"]);
    expect((await audit(desk)).map(({ status }) => status)).toEqual(["approved", "done"]);
    expect(desk.channel.edits).toBe(1);
  });
});

describe("A02: only who may decide", () => {
  it("refuses a person who is no approver, in a group, with a row in the audit", async () => {
    const desk = await openDesk();
    await tell(desk, write, { from: "1002", chat: "-100" });
    const card = onlyCard(desk);
    await happens(desk, taps(card, "Allow once", { from: "1002" }));
    expect(await desk.words()).toEqual(["Only 1001, 1003 may decide this"]);
    expect(await states(desk)).toEqual(["pending"]);
    expect(await refusals(desk)).toEqual(["approval.not_approver"]);

    await happens(desk, taps(card, "Allow once", { from: "1003" }));
    expect(await states(desk)).toEqual(["approved"]);
  });

  it("refuses somebody who is not on the list at all", async () => {
    const desk = await openDesk();
    await tell(desk, write, { chat: "-100" });
    await happens(desk, taps(onlyCard(desk), "Allow once", { from: "4711" }));
    expect(await desk.words()).toEqual(["You may not decide this"]);
    expect(await states(desk)).toEqual(["pending"]);
  });

  it("refuses a bot, though it has an approver's number", async () => {
    const { desk, card } = await asked();
    const tap = taps(card, "Allow once");
    await happens(desk, { ...tap, sender: { id: "1001", name: "bot", is_bot: true } });
    expect(await states(desk)).toEqual(["pending"]);
  });

  it.each(["is_forwarded", "edit", "other"])("takes no %s for an answer", async (kind) => {
    const { desk } = await asked(ask);
    const said = says("tea");
    if (said.what.kind !== "message") throw new Error("says a message");
    const what =
      kind === "is_forwarded"
        ? { ...said.what, is_forwarded: true }
        : kind === "edit"
          ? { ...said.what, kind: "edit" as const }
          : { kind: "other" as const, name: "reaction" };
    await happens(desk, { ...said, what });
    expect(await states(desk)).toEqual(["pending"]);
  });
});

describe("A03: after the deadline", () => {
  it("refuses a tap, and the person is told", async () => {
    const { desk, card } = await asked();
    await waits(desk, 86_400_001);
    await happens(desk, taps(card, "Allow once"));
    expect(await states(desk)).toEqual(["expired"]);
    expect(await desk.words()).toEqual(["No longer open: nobody answered in time"]);
  });

  it("notes it in the audit: who tapped, and how the question had ended", async () => {
    const { desk, card } = await asked();
    const { approval_id } = await pendingApproval(desk);
    await waits(desk, 86_400_001);
    await happens(desk, taps(card, "Allow once"));
    const rows = await audit(desk);
    expect(
      rows.map(({ kind, status, decided_by, reason }) => [kind, status, decided_by, reason]),
    ).toEqual([
      ["decision", "expired", "deadline", expect.stringContaining("Guarded")],
      ["decision", "refused", "tg:1001", `late_answer: ${approval_id} is expired`],
    ]);
  });

  it("stays over when the clock goes back with the next start", async () => {
    const disk = await memoryDisk(allTables);
    const desk = await openDesk({ store: await disk.open() });
    await tell(desk, write);
    const { clock: before, channel } = desk;
    const card = onlyCard(desk);
    await waits(desk, 86_400_001);
    await disk.crash();
    const clock = createSimulatedClock(before.now() - 3_600_000);
    const again = await openDesk({ channel, store: await disk.open(), clock });
    await happens(again, taps(card, "Allow once"));
    expect(await states(again)).toEqual(["expired"]);
    expect(await again.words()).toEqual(["No longer open: nobody answered in time"]);
  });
});

describe("A04: an answer belongs to one question", () => {
  it("refuses the button of another question, on its message or in another chat", async () => {
    const desk = await openDesk();
    await tell(desk, write);
    await tell(desk, writeOther, { from: "1003" });
    const [one, other] = cards(desk) as [SeenMessage, SeenMessage];
    const data = one.buttons.flat()[0]?.data ?? "";
    await happens(
      desk,
      taps(other, data),
      taps(one, "Allow once", { chat: "-100" }),
      taps(one, "Allow once", { chat: "1001/7" }),
      taps(one, "Allow once", { messageId: other.message_id }),
    );
    expect(await states(desk)).toEqual(["pending", "pending"]);
    expect(await desk.words()).toEqual(Array(4).fill("This button belongs to no open question"));
  });
});

it("A04: a card of one connector is none of another, though chat and message have the same numbers", async () => {
  const { desk, card } = await asked();
  const rows = await desk.engine.read.select(deliveryTable, { index: "by_seq" });
  const spot = { scope: card.scope, message_id: card.message_id };
  expect(tappedCard(rows, { connector_id: "tg", ...spot })).toMatchObject({ kind: "question" });
  expect(tappedCard(rows, { connector_id: "tg_ops", ...spot })).toBeUndefined();
});

describe("A05: a guessed answer", () => {
  it.each([
    "o",
    "o:ID",
    "o:ID:0000",
    "o:ID:000000000000000",
    "O:ID:0000000000000000",
    "o:a99:0000000000000000",
    "x:ID:0000000000000000",
    "0:ID:0000000000000000",
    "o:ID:0000000000000000 ",
    `o:${"a".repeat(45)}:0000000000000000`,
    "",
  ])("%j changes nothing", async (form) => {
    const { desk, card } = await asked();
    const [{ approval_id } = { approval_id: "" }] = await approvals(desk);
    const data = form.replace("ID", approval_id);
    const tap = taps(card, "Allow once");
    await happens(desk, { ...tap, what: { ...tap.what, data } as typeof tap.what });
    expect(await states(desk)).toEqual(["pending"]);
  });
});

describe("A06: what was shown has changed", () => {
  it("refuses a button that was made for other words, with a row in the audit", async () => {
    const { desk, card } = await asked();
    const data = (card.buttons[0]?.[0]?.data ?? "").replace(/.$/, (last) =>
      last === "0" ? "1" : "0",
    );
    await happens(desk, taps(card, data));
    expect(await states(desk)).toEqual(["pending"]);
    expect(await refusals(desk)).toEqual(["approval.changed"]);
    expect(await desk.words()).toEqual(["This question has changed; look at the newest card"]);
  });

  it("asks anew for the same call with other arguments", async () => {
    const { desk, card } = await asked();
    await happens(desk, taps(card, "Allow once"));
    await tell(desk, 'call file_write {"path":"a.txt","content":"other"}');
    expect(await states(desk)).toEqual(["approved", "pending"]);
    const [, second] = cards(desk);
    await happens(desk, taps(second as SeenMessage, card.buttons[0]?.[0]?.data ?? ""));
    expect(await states(desk)).toEqual(["approved", "pending"]);
  });
});

it("A08: refuses a tap after the run was cancelled, and says so", async () => {
  const { desk, card } = await asked();
  const run = await desk.engine.actors({ prefix: "session/" });
  const address = run.find(({ machine }) => machine === "run")?.address ?? "";
  await desk.engine.send(address, { type: "run.cancel" }, { origin: "cli" });
  await desk.engine.settled();
  await happens(desk, taps(card, "Allow once"));
  expect(await states(desk)).toEqual(["cancelled"]);
  expect(await desk.words()).toEqual(["No longer open: what it was about has ended"]);
  expect(textOf(onlyCard(desk))).toMatch(/^Approval a\d+ \(cancelled by statehive\)/);
});

it("answers a tap that is judged in a later transaction, after a command which came before it", async () => {
  const desk = await openDesk({ limits: { cascadeSteps: 1 } });
  await tell(desk, write);
  const card = onlyCard(desk);
  await happens(desk, says("/status"), taps(card, "Allow once"));
  expect(await desk.words()).toEqual(["Allowed once"]);
});

describe("two who may decide", () => {
  it("at once: the first tap counts, and the other hears whose it was", async () => {
    const desk = await openDesk();
    await tell(desk, write, { chat: "-100" });
    const card = onlyCard(desk);
    await happens(
      desk,
      taps(card, "Deny", { from: "1003" }),
      taps(card, "Allow once", { from: "1001" }),
    );
    expect(await desk.words()).toEqual(["Denied", "No longer open: denied by tg:1003"]);
    expect(await states(desk)).toEqual(["denied"]);
  });

  it("of one mind: who came second, and who taps once more later, hear whose word it was", async () => {
    const desk = await openDesk();
    await tell(desk, write, { chat: "-100" });
    const card = onlyCard(desk);
    const tap = (from: string) => taps(card, "Deny", { from });
    await happens(desk, tap("1003"), tap("1001"));
    await waits(desk, 1_000);
    await happens(desk, tap("1003"));
    expect(await desk.words()).toEqual([
      "Denied",
      "No longer open: denied by tg:1003",
      "No longer open: denied by you",
    ]);
  });

  it("one of them at the machine: the tap hears of it", async () => {
    const { desk, card } = await asked();
    await decide(desk);
    await happens(desk, taps(card, "Deny"));
    expect(await desk.words()).toEqual(["No longer open: approved by ann"]);
  });
});

describe("a card that was not confirmed", () => {
  it("decides while its sending still waits for the answer, and becomes its outcome after that", async () => {
    const channel = new SlowChannel();
    const desk = await openDesk({ channel });
    const arrived = channel.holdNext();
    await channel.put(says(write));
    await arrived;
    const tap = taps(onlyCard(desk), "Deny");
    await channel.put(tap);
    expect(await states(desk)).toEqual(["denied"]);
    expect(onlyCard(desk).buttons).not.toEqual([]);
    channel.release();
    await desk.engine.settled();
    expect(onlyCard(desk).buttons).toEqual([]);
    expect(await desk.words()).toEqual(["Denied"]);
  });

  it("decides all the same, and is then told how it ended", async () => {
    const channel = new FakeChannel();
    channel.sendFaults.push({ kind: "lose_answer" });
    const desk = await openDesk({ channel });
    await tell(desk, write);
    await happens(desk, taps(onlyCard(desk), "Allow once"));
    expect(await states(desk)).toEqual(["approved"]);
    expect(onlyCard(desk).buttons).toEqual([]);
  });
});

it("says nothing of a question that has ended before its card could be sent", async () => {
  const channel = new FakeChannel();
  const error = new AgentError("channel.unreachable", "The line is down.", { retryable: true });
  channel.sendFaults.push({ kind: "refuse", error });
  const desk = await openDesk({ channel, files: createMemoryFiles() });
  await tell(desk, write);
  expect(cards(desk)).toEqual([]);
  await decide(desk, { decision: "deny" });
  await desk.engine.settled();
  desk.clock.advance(60_000);
  await desk.engine.settled();
  expect(cards(desk)).toEqual([]);
  expect(desk.heard()).toHaveLength(1);
});
