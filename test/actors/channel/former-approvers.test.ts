import { expect, it } from "vitest";
import { repostQuestions } from "../../../src/actors/channel/questions/repost.ts";
import {
  ask,
  cards,
  deskSettings,
  happens,
  onlyCard,
  openDesk,
  refusals,
  states,
  taps,
  tell,
  write,
} from "./question-desk.ts";

/** Who was named when a question was put, and is an approver no more when they answer it. */

async function openHouse() {
  let approvers = deskSettings.doorway.approvers;
  const settings = {
    ...deskSettings,
    get doorway() {
      return { ...deskSettings.doorway, approvers };
    },
  };
  const desk = await openDesk({ settings });
  return { desk, dismiss: (user: string) => (approvers = approvers.filter((id) => id !== user)) };
}

it("A02: a tap of a former approver decides nothing, though they may still write", async () => {
  const { desk, dismiss } = await openHouse();
  await tell(desk, write, { chat: "-100" });
  dismiss("1003");
  const card = onlyCard(desk);
  await happens(desk, taps(card, "Allow once", { from: "1003" }));
  expect(await states(desk)).toEqual(["pending"]);
  expect(await desk.words()).toEqual(["Only 1001 may decide this"]);
  expect(await refusals(desk)).toEqual(["approval.not_approver"]);
  await happens(desk, taps(card, "Allow once", { from: "1001" }));
  expect(await states(desk)).toEqual(["approved"]);
});

it("A02: nor does it answer what somebody else was asked; who was asked may", async () => {
  const { desk, dismiss } = await openHouse();
  await tell(desk, ask, { chat: "-100", from: "1002" });
  dismiss("1003");
  const card = onlyCard(desk);
  await happens(desk, taps(card, "1. tea", { from: "1003" }));
  expect(await states(desk)).toEqual(["pending"]);
  await happens(desk, taps(card, "2. coffee", { from: "1002" }));
  expect(await states(desk)).toEqual(["answered"]);
});

it("shows a former approver no question of others any more, after a restart or when they ask", async () => {
  const { desk, dismiss } = await openHouse();
  await tell(desk, write, { from: "1002" });
  expect(cards(desk).map(({ scope }) => scope)).toEqual(["1002", "1001", "1003"]);
  dismiss("1003");
  const again = await repostQuestions(desk.engine.read, desk.channels, desk.clock.now() + 60_000);
  expect(new Set(again.map(({ event }) => event["scope"]))).toEqual(new Set(["1002", "1001"]));
  await tell(desk, "/approvals", { from: "1003" });
  expect(desk.heard().at(-1)).toBe("Nothing waits for a decision.");
});
