import { describe, expect, it } from "vitest";
import { testSettings } from "../../support/channel-hive.ts";
import { approvals } from "../hive-watch.ts";
import {
  ask,
  cards,
  deskSettings,
  happens,
  labelsOf,
  onlyCard,
  openDesk,
  states,
  taps,
  tell,
  textOf,
  write,
} from "./question-desk.ts";

/** Who is asked, and where. */

describe("a call in the private chat of somebody who may not decide", () => {
  it("is put to those who may, in chats of their own, and the person is told whom", async () => {
    const desk = await openDesk();
    await tell(desk, write, { from: "1002" });
    const home = onlyCard(desk, "1002");
    expect(home.buttons).toEqual([]);
    expect(textOf(home)).toContain(
      "You may not decide this; who may is asked in a chat of their own.\nasked: 1001, 1003",
    );
    for (const approver of ["1001", "1003"]) {
      const card = onlyCard(desk, approver);
      expect(textOf(card)).toContain("conversation: tg, private chat of 1002");
      expect(textOf(card)).toContain("content:\nhi");
      expect(labelsOf(card)).toEqual([["Allow once", "For this session"], ["Deny"]]);
    }
  });

  it("becomes its outcome on every card, wherever it was tapped", async () => {
    const desk = await openDesk();
    await tell(desk, write, { from: "1002" });
    await happens(desk, taps(onlyCard(desk, "1003"), "Allow once"));
    expect(await approvals(desk)).toMatchObject([{ state: "approved", decided_by: "tg:1003" }]);
    expect(cards(desk)).toHaveLength(3);
    expect(textOf(onlyCard(desk, "1001"))).toContain("conversation: tg, private chat of 1002");
    for (const card of cards(desk)) {
      expect(textOf(card)).toMatch(/^Approval a\d+ \(approved by tg:1003\)/);
      expect(card.buttons).toEqual([]);
    }
    expect((await desk.lastRun())?.reply).toContain("a.txt");
    expect(desk.channel.messages.at(-1)?.scope).toBe("1002");
  });

  it("takes no tap of that person, on whatever message", async () => {
    const desk = await openDesk();
    await tell(desk, write, { from: "1002" });
    const [allow] = onlyCard(desk, "1001").buttons.flat();
    const home = onlyCard(desk, "1002");
    await happens(
      desk,
      taps(home, allow?.data ?? ""),
      taps(onlyCard(desk, "1001"), "Allow once", { from: "1002", chat: "1002" }),
    );
    expect(await states(desk)).toEqual(["pending"]);
    expect(await desk.words()).toEqual([
      "Only 1001, 1003 may decide this",
      "This button belongs to no open question",
    ]);
  });

  it("is put to five of many, at most", async () => {
    const approvers = Array.from({ length: 9 }, (_, index) => `${2001 + index}`);
    const doorway = { ...deskSettings.doorway, approvers };
    const desk = await openDesk({ settings: { ...deskSettings, doorway } });
    await tell(desk, write, { from: "1002" });
    expect(cards(desk).map(({ scope }) => scope)).toEqual(["1002", ...approvers.slice(0, 5)]);
  });

  it("waits for the owner where nobody else may", async () => {
    const doorway = { ...testSettings.doorway, approvers: [] };
    const desk = await openDesk({ settings: { ...testSettings, doorway } });
    await tell(desk, write, { from: "1002" });
    expect(onlyCard(desk).buttons).toEqual([]);
    expect(textOf(onlyCard(desk))).toContain(
      "You may not decide this. The owner may, at the machine.",
    );
  });

  it("is put nowhere else where chats are not named by their persons", async () => {
    const doorway = { ...deskSettings.doorway, channel_type: "webhook" };
    const desk = await openDesk({ settings: { ...deskSettings, doorway } });
    await tell(desk, write, { from: "1002" });
    expect(textOf(onlyCard(desk))).toContain(
      "The owner may, at the machine or, in this channel, 1001, 1003.",
    );
  });
});

it("puts what an agent asks to the person whom it talks with, who may answer it", async () => {
  const desk = await openDesk();
  await tell(desk, ask, { from: "1002" });
  const card = onlyCard(desk);
  expect(card.scope).toBe("1002");
  await happens(desk, taps(card, "2. coffee"));
  expect(await desk.words()).toEqual(["Answered: coffee"]);
  expect(await approvals(desk)).toMatchObject([{ state: "answered", decided_by: "tg:1002" }]);
});

it("asks in the topic of a group, as an answer to the message, and takes the tap there", async () => {
  const desk = await openDesk();
  await tell(desk, write, { from: "1002", chat: "-100", topic: "7", update: "77" });
  const card = onlyCard(desk);
  expect(card).toMatchObject({ scope: "-100/7", reply_to: "m77" });
  await happens(desk, taps(card, "Deny", { from: "1001" }));
  expect(await states(desk)).toEqual(["denied"]);
});
