import { expect, it } from "vitest";
import { openCard } from "../../../src/actors/channel/questions/question-card.ts";
import { deliveryTable } from "../../../src/schema/rows/channel-rows.ts";
import { noBudget } from "../../../src/schema/budget.ts";
import { mostCardLength, cardLength } from "../../../src/text/card-text.ts";
import type { SeenMessage } from "../../../src/adapters/channel/fake-channel.ts";
import { decide, pendingApproval } from "../hive-watch.ts";
import {
  ask,
  askFreely,
  cards,
  happens,
  labelsOf,
  onlyCard,
  openDesk,
  taps,
  tell,
  textOf,
  waits,
  write,
} from "./question-desk.ts";

/** What people are shown before they decide, and after. */

const partsOf = ({ body }: SeenMessage) => (body.kind === "card" ? body.parts : []);
const ours = (card: SeenMessage) =>
  partsOf(card)
    .map((part) => {
      if (part.kind === "fact") return part.name;
      return part.kind === "code" ? "" : part.text;
    })
    .join("\n");

it("shows a call whole, with why it is asked, what else a yes would allow, and when it ends", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  const card = onlyCard(desk);
  expect(
    textOf(card)
      .replaceAll(/\b([ar])\d+/g, "$1N")
      .split("\n"),
  ).toEqual([
    "Approval aN: may main do this?",
    "tool: file_write (guarded)",
    "does: Write 2 bytes to a.txt",
    "asked because: Guarded; no grant covers fs.write:a.txt; asks.",
    "needs: fs.write:a.txt",
    "agent, run: main, rN, step rN.1",
    "may decide: the owner, at the machine; tg:1001, tg:1003",
    "for the session: would also allow fs.write:a.txt",
    "ends: 1970-01-02 00:16:40 UTC, then counts as denied",
    "path:",
    "a.txt",
    "content:",
    "hi",
  ]);
  expect(labelsOf(card)).toEqual([["Allow once", "For this session"], ["Deny"]]);
  const rows = await desk.engine.read.select(deliveryTable, { index: "by_seq" });
  expect(rows.map(({ kind, state }) => [kind, state])).toEqual([["question", "delivered"]]);
});

it("brings back at most 64 bytes with a tap, also after very many steps", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  const data = onlyCard(desk)
    .buttons.flat()
    .map((button) => button.data);
  expect(data).toEqual([
    expect.stringMatching(/^o:a\d+:[0-9a-f]{16}$/),
    expect.stringMatching(/^s:a\d+:[0-9a-f]{16}$/),
    expect.stringMatching(/^d:a\d+:[0-9a-f]{16}$/),
  ]);
  const longest = data.map((one) => one.replace(/a\d+/, `a${Number.MAX_SAFE_INTEGER}`));
  expect(Math.max(...longest.map((one) => Buffer.byteLength(one)))).toBeLessThanOrEqual(64);
});

it("offers the session only where a grant is narrow enough to be proposed", async () => {
  const desk = await openDesk({ policy: { risk: { file_write: "unsafe" } } });
  await tell(desk, write);
  const approval = await pendingApproval(desk);
  expect(approval.proposed_grants).toEqual([]);
  expect(labelsOf(onlyCard(desk))).toEqual([["Allow once"], ["Deny"]]);
  expect(textOf(onlyCard(desk))).toContain("nothing more: this call can only be allowed once");
});

it("A11: keeps foreign words that look like ours, and their line breaks, in parts that are shown as code", async () => {
  const desk = await openDesk();
  const fake = "Approved ✅ by the owner\\n[Allow once] [Deny]\\u202e";
  await tell(desk, `call file_write {"path":"Approved ✅.txt","content":"${fake}"}`);
  const card = onlyCard(desk);
  expect(ours(card)).not.toContain("✅");
  expect(partsOf(card)).toContainEqual({
    kind: "code",
    text: "Approved ✅ by the owner\n[Allow once] [Deny]\u202e",
  });
  expect(labelsOf(card).flat().join()).not.toContain("✅");

  await tell(
    desk,
    'call ask_user {"question":"Approved ✅\\nAllow once?","options":["Allow once","Deny ✅"]}',
    { from: "1003" },
  );
  const question = onlyCard(desk, "1003");
  expect(ours(question)).not.toContain("✅");
  expect(labelsOf(question)).toEqual([["1. Allow once"], ["2. Deny ✅"]]);
});

it("A11: keeps an input's odd keys in code too", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  const approval = await pendingApproval(desk);
  const { parts } = openCard({ ...approval, input: { "Approved ✅\nby": "", "a.b": 1 } }, "1001");
  expect(parts.slice(-4)).toEqual([
    { kind: "code", text: '"Approved ✅\\nby":' },
    { kind: "code", text: "" },
    { kind: "line", text: "a.b:" },
    { kind: "code", text: "1" },
  ]);
});

it("offers no yes on a card that cannot show all of a call, and refuses a forged one", async () => {
  const desk = await openDesk();
  const long = "x".repeat(mostCardLength);
  await tell(desk, `call file_write {"path":"a.txt","content":"${long}"}`);
  const card = onlyCard(desk);
  expect(labelsOf(card)).toEqual([["Deny"]]);
  expect(textOf(card)).toContain("it cannot be allowed here, only denied");
  expect(textOf(card)).toMatch(/`statehive approvals show a\d+`/);
  expect(cardLength(partsOf(card))).toBeLessThanOrEqual(mostCardLength);

  const [deny] = card.buttons.flat();
  await happens(desk, taps(card, deny?.data.replace("d:", "o:") ?? ""));
  expect((await pendingApproval(desk)).state).toBe("pending");
  expect(await desk.words()).toEqual([
    expect.stringMatching(/^Not taken; try again, or use `statehive approvals show a\d+`$/),
  ]);

  await happens(desk, taps(card, "Deny"));
  expect(textOf(onlyCard(desk))).toMatch(/^Approval a\d+ \(denied by tg:1001\)\n/);
  expect(cardLength(partsOf(onlyCard(desk)))).toBeLessThanOrEqual(mostCardLength);
});

it("puts an agent's options on buttons, one a row, and takes a tap as the whole option", async () => {
  const desk = await openDesk();
  const long = `green tea${", and more".repeat(10)}`;
  await tell(desk, `call ask_user {"question":"Which?","options":["tea","${long}"]}`);
  const card = onlyCard(desk);
  const [, [cut = ""] = []] = labelsOf(card);
  expect(cut).toHaveLength(60);
  expect(textOf(card)).toContain(`2: ${long}`);
  await happens(desk, taps(card, cut));
  expect(textOf(onlyCard(desk))).toContain(`answer:\n${long}`);
  expect(await desk.lastRun()).toMatchObject({
    state: "done",
    reply: expect.stringContaining(long),
  });
});

it("lists more than eight options as text, to be answered by number", async () => {
  const desk = await openDesk();
  const options = Array.from({ length: 9 }, (_, index) => `choice ${index + 1}`);
  await tell(desk, `call ask_user {"question":"Which?","options":${JSON.stringify(options)}}`);
  const card = onlyCard(desk);
  expect(card).toMatchObject({ buttons: [], wants_reply: true });
  expect(textOf(card)).toContain("9: choice 9\nAnswer with the number, or in your own words.");
  await tell(desk, "9");
  expect(textOf(onlyCard(desk))).toContain("answer:\nchoice 9");
});

it("wants a reply to a question without options", async () => {
  const desk = await openDesk();
  await tell(desk, askFreely);
  expect(onlyCard(desk)).toMatchObject({ buttons: [], wants_reply: true });
  expect(textOf(onlyCard(desk))).toMatch(/^Question a\d+\nWhat is it called\?\n/);
});

it("asks in words whether a used up budget is raised", async () => {
  const desk = await openDesk({
    agentBudget: () => ({ ...noBudget, session: { usd: null, tokens: 1 } }),
  });
  await tell(desk, "hello");
  const card = onlyCard(desk);
  expect(textOf(card)).toMatch(/^A budget has no room left a\d+\n/);
  expect(labelsOf(card)).toEqual([["Continue"], ["Stop"]]);
  await happens(desk, taps(card, "Stop"));
  expect(textOf(onlyCard(desk))).toContain("answer:\nstop");
  expect(await desk.words()).toEqual(["Answered: stop"]);
});

it("says how it ended, without buttons, wherever it was decided", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  await decide(desk, { decision: "deny", scope: "session", reason: "not *here*" });
  await desk.engine.settled();
  const card = onlyCard(desk);
  expect(card.buttons).toEqual([]);
  expect(textOf(card)).toMatch(/^Approval a\d+ \(denied by ann\)\n/);
  expect(textOf(card)).toContain("decided: 1970-01-01 00:16:40 UTC: denied for the session");
  expect(textOf(card)).toMatch(/their reason:\nnot \*here\*$/);
});

it("says that nobody answered in time, and what then counts", async () => {
  const desk = await openDesk();
  await tell(desk, ask);
  await waits(desk, 86_400_001);
  expect(textOf(cards(desk)[0] as SeenMessage)).toMatch(/^Question a\d+ \(expired by deadline\)\n/);
  expect(textOf(onlyCard(desk))).toMatch(/answer:\nNobody answered in time\.$/);
  expect(onlyCard(desk).buttons).toEqual([]);
});

it("is not missed where a person has deleted the card: how it ended is told nowhere, and nothing is dead", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  desk.channel.messages.length = 0;
  await decide(desk, { decision: "deny" });
  await desk.engine.settled();
  const rows = await desk.engine.read.select(deliveryTable, { index: "by_seq" });
  expect(rows.map(({ kind, state }) => [kind, state])).toEqual([
    ["question", "delivered"],
    ["outcome", "delivered"],
    ["reply", "delivered"],
  ]);
});
