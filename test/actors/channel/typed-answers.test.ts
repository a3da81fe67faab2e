import { describe, expect, it } from "vitest";
import { tellQueued } from "../../../src/actors/channel/questions/queued.ts";
import type { InboundUpdate } from "../../../src/schema/inbound.ts";
import { inboxTable } from "../../../src/schema/rows/session-rows.ts";
import { says, type Saying } from "../../support/channel-hive.ts";
import { approvals, runs } from "../hive-watch.ts";
import {
  ask,
  askFreely,
  cards,
  type Desk,
  happens,
  onlyCard,
  openDesk,
  refusals,
  states,
  tell,
  textOf,
  waits,
  write,
  writeOther,
} from "./question-desk.ts";

/** What is typed while questions wait. */

function replies(text: string, to: string, saying?: Saying): InboundUpdate {
  const said = says(text, saying);
  if (said.what.kind !== "message") throw new Error("says a message");
  return { ...said, what: { ...said.what, reply_to: to } };
}

const waiting = async (desk: Desk) =>
  (await desk.engine.read.select(inboxTable, { index: "key" })).map(({ text }) => text);

const notices = ({ channel }: Desk) =>
  channel.messages.flatMap(({ body }) => (body.kind === "plain" ? [body.text] : []));

describe("what an agent asks", () => {
  it("is answered by a plain message, while nothing else waits", async () => {
    const desk = await openDesk();
    await tell(desk, askFreely);
    await tell(desk, "The Hive");
    expect(await approvals(desk)).toMatchObject([
      { state: "answered", answer: "The Hive", decided_by: "tg:1001" },
    ]);
    expect(textOf(onlyCard(desk))).toMatch(/answer:\nThe Hive$/);
    expect(await waiting(desk)).toEqual([]);
  });

  it.each([
    ["2", "coffee"],
    ["COFFEE", "coffee"],
    ["7", "7"],
    ["milk", "milk"],
  ])("takes %j for %j", async (typed, answer) => {
    const desk = await openDesk();
    await tell(desk, ask);
    await tell(desk, typed);
    expect(await approvals(desk)).toMatchObject([{ state: "answered", answer }]);
  });

  it("takes the text of an option before its number", async () => {
    const desk = await openDesk();
    await tell(desk, 'call ask_user {"question":"How many?","options":["2","1"]}');
    await tell(desk, "1");
    expect(await approvals(desk)).toMatchObject([{ answer: "1" }]);
  });

  it("is answered by an approver who replies to the card in the group, and by nobody else there", async () => {
    const desk = await openDesk();
    await tell(desk, askFreely, { from: "1002", chat: "-100" });
    const { message_id } = onlyCard(desk);
    await tell(desk, "not me", { from: "1003", chat: "-100" });
    expect(await states(desk)).toEqual(["pending"]);
    await happens(desk, replies("Bees", message_id, { from: "1003", chat: "-100" }));
    expect(await approvals(desk)).toMatchObject([{ answer: "Bees", decided_by: "tg:1003" }]);
  });

  it("is not answered by a person who may not: the reply is a message of their own", async () => {
    const desk = await openDesk();
    await tell(desk, askFreely, { from: "1003", chat: "-100" });
    const { message_id } = onlyCard(desk);
    await happens(desk, replies("Bees", message_id, { from: "1002", chat: "-100" }));
    expect(await states(desk)).toEqual(["pending"]);
    expect(await refusals(desk)).toEqual([]);
    expect((await runs(desk)).map(({ state }) => state)).toEqual([null, "done"]);
  });

  it("is not answered by a caption, by a command, or by what is too long to be an answer", async () => {
    const desk = await openDesk();
    await tell(desk, askFreely);
    const said = says("look");
    if (said.what.kind !== "message") throw new Error("says a message");
    const photo = {
      kind: "photo",
      file_id: "f",
      name: null,
      media_type: null,
      bytes: null,
    } as const;
    await happens(desk, { ...said, what: { ...said.what, attachments: [photo] } });
    await tell(desk, "/help me");
    await tell(desk, "x".repeat(20_001));
    expect(await states(desk)).toEqual(["pending"]);
  });

  it("is answered once by two answers at once; who came second hears that it was not taken", async () => {
    const desk = await openDesk();
    await tell(desk, askFreely);
    await happens(desk, says("one"), says("two"));
    expect(await approvals(desk)).toMatchObject([{ answer: "one" }]);
    expect(notices(desk)).toEqual(["I have not taken this message; send it again in a moment."]);
  });
});

describe("A07: several questions wait", () => {
  const both = `${askFreely}\n${ask}`;

  it("asks which one a plain message answers, and shows the cards again", async () => {
    const desk = await openDesk();
    await tell(desk, both);
    expect(cards(desk)).toHaveLength(2);
    await waits(desk, 60_000);
    await tell(desk, "yes");
    expect(await states(desk)).toEqual(["pending", "pending"]);
    expect(notices(desk)).toEqual([
      expect.stringMatching(/^Which one do you answer\? a\d+, a\d+ wait\. Reply to the card/),
    ]);
    expect(cards(desk)).toHaveLength(4);
    expect(await waiting(desk)).toEqual([]);
  });

  it("takes a reply to one card for that one", async () => {
    const desk = await openDesk();
    await tell(desk, both);
    const [first] = cards(desk);
    await happens(desk, replies("yes", first?.message_id ?? ""));
    expect(await states(desk)).toEqual(["answered", "pending"]);
  });

  it("takes a reply to the card of one that has ended for no answer to another", async () => {
    const desk = await openDesk();
    await tell(desk, both);
    const [first] = cards(desk);
    await happens(desk, replies("one", first?.message_id ?? ""));
    await happens(desk, replies("once more", first?.message_id ?? ""));
    expect(await states(desk)).toEqual(["answered", "pending"]);
    expect(await waiting(desk)).toEqual(["once more"]);
  });

  it("allows no call by a typed word: the cards are shown again", async () => {
    const desk = await openDesk();
    await tell(desk, `${write}\n${writeOther}`);
    await waits(desk, 60_000);
    for (const word of ["yes", "OK!", "allow once", "👍"]) await tell(desk, word);
    expect(await states(desk)).toEqual(["pending", "pending"]);
    expect(cards(desk)).toHaveLength(4);
    expect(new Set(notices(desk))).toEqual(
      new Set([
        expect.stringMatching(/^What is typed decides nothing here: the card of a\d+, a\d+/),
      ]),
    );
    expect(await waiting(desk)).toEqual([]);
  });

  it("takes a yes for neither, when a question and a call wait", async () => {
    const desk = await openDesk();
    await tell(desk, `${write}\n${askFreely}`);
    await tell(desk, "yes");
    expect(await states(desk)).toEqual(["pending", "pending"]);
    await tell(desk, "Bees");
    expect((await approvals(desk)).map(({ state }) => state).toSorted()).toEqual([
      "answered",
      "pending",
    ]);
  });

  it("replies of yes to the card of a call allow nothing", async () => {
    const desk = await openDesk();
    await tell(desk, write);
    await happens(desk, replies("yes", onlyCard(desk).message_id));
    expect(await states(desk)).toEqual(["pending"]);
    expect(await waiting(desk)).toEqual([]);
  });
});

describe("a message while the run waits for a person", () => {
  it("waits its turn, and its person hears why, at most once a minute, with the card and how to stop", async () => {
    const desk = await openDesk();
    await tell(desk, write);
    await waits(desk, 60_000);
    await happens(desk, says("and then?"), says("hello?"));
    await waits(desk, 10_000);
    await tell(desk, "are you there?");
    expect(await waiting(desk)).toEqual(["and then?", "hello?", "are you there?"]);
    expect(notices(desk)).toEqual([
      expect.stringMatching(
        /^I have your message\. It waits until a\d+ is answered; \/stop stops what runs instead\.$/,
      ),
    ]);
    expect(cards(desk)).toHaveLength(2);
    await waits(desk, 60_000);
    await tell(desk, "still here");
    expect(notices(desk)).toHaveLength(2);
    expect(cards(desk)).toHaveLength(3);
    expect(cards(desk).filter(({ buttons }) => buttons.length > 0)).toHaveLength(1);
  });

  it("hears nothing where it goes first, and ends what waits", async () => {
    const desk = await openDesk();
    await tell(desk, write);
    const { address } = (await approvals(desk))[0] ?? { address: "" };
    const session_address = address.split("/").slice(0, 2).join("/");
    const at = desk.clock.now() + 60_000;
    const tells = (mode: string) =>
      tellQueued(desk.store, { session_address, mode }, { address: session_address, at, seq: 1 });
    expect(tells("follow_up")).toHaveLength(3);
    expect(tells("interrupt")).toEqual([]);
  });

  it("hears nothing more while it just works", async () => {
    const desk = await openDesk();
    await happens(desk, says("hello"), says("hello again"));
    expect(notices(desk)).toEqual([]);
    expect(cards(desk)).toEqual([]);
  });
});

it("shows each card but once for a batch of typed words", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  await waits(desk, 60_000);
  await happens(desk, says("yes"), says("ok"), says("sure"));
  expect(cards(desk)).toHaveLength(2);
});
