import { expect, it } from "vitest";
import type { Judged } from "../../src/gateway/judged.ts";
import type { InboundUpdate } from "../../src/schema/inbound.ts";
import { rateBucketTable } from "../../src/schema/rows/channel-rows.ts";
import { command, from, inGroup, message, openDoor, tap, usualSettings, verdicts } from "./door.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

it("lets in who is listed, with the place that the message comes from", () => {
  const { judge } = openDoor();
  const update = { ...from("1001", message("hello")), update_id: "5" };
  const judged = judge(update);
  expect(judged.admitted).toEqual([
    {
      place: {
        channel_type: "telegram",
        connector_id: "tg_main",
        conversation_scope: "1001",
        user_scope: "1001",
        trace_id: "t5f7a91419f5c492a",
        agent_id: "main",
      },
      conversation: "private",
      what: message("hello"),
    },
  ]);
  expect(judged.updates).toEqual([
    {
      connector_id: "tg_main",
      update_id: "5",
      trace_id: "t5f7a91419f5c492a",
      scope: "1001",
      message_id: "7",
      user_scope: "1001",
      at: 1_000_000,
      verdict: "accepted",
    },
  ]);
  expect(judged.words).toEqual([]);
  expect(judged.refusals).toEqual([]);
});

it("T03: takes an update once, however often and in whichever order it comes", () => {
  const door = openDoor();
  const [late, early, far] = [from("1001", message("b")), from("1001", message("a"))].concat({
    ...from("1001", message("c")),
    update_id: "10000000",
  }) as [InboundUpdate, InboundUpdate, InboundUpdate];
  expect(verdicts(door.judge(late, late, early))).toEqual(["accepted", "accepted"]);
  const again = door.judge(early, late);
  expect(again).toEqual({
    rest: [],
    admitted: [],
    words: [],
    updates: [],
    buckets: [],
    pairings: [],
    refusals: [],
  });
  expect(door.judge(far, late).admitted).toHaveLength(1);
  door.at += 2 * hourMs;
  expect(door.judge(far).admitted).toHaveLength(0);
});

it("T02: a stranger is answered with one code, leaves one row in the audit, and runs nothing", () => {
  const door = openDoor();
  const first = door.judge(from("5", message("hello")));
  const [pairing] = first.pairings;
  expect(first.admitted).toEqual([]);
  expect(verdicts(first)).toEqual(["pairing"]);
  expect(first.words.map(({ text }) => text)).toEqual([
    `Hello. I do not know you yet, so I cannot answer you.\nTo be let in, tell my owner this code: ${pairing?.code}\nIt is good for one hour. My owner then says: statehive pair approve ${pairing?.code}`,
  ]);
  expect(pairing).toMatchObject({ user_scope: "5", name: "@user5", scope: "5", state: "open" });
  expect(pairing?.code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  expect(first.refusals).toMatchObject([{ by: "tg_main:5", reason: "not_allowed", count: 1 }]);

  const more = door.judge(
    from("5", message("please")),
    from("5", { kind: "edit", ...dropKind(message("please!")) }),
    from("5", { kind: "other", name: "reaction" }),
    from("5", tap),
    from("5", { kind: "stop" }),
  );
  expect(more).toMatchObject({ admitted: [], words: [], updates: [], pairings: [], refusals: [] });

  door.at += hourMs;
  const later = door.judge(from("5", message("still there?")));
  expect(later.refusals).toMatchObject([{ by: "tg_main:5", count: 6 }]);
  expect(later.pairings[0]?.code).not.toBe(pairing?.code);
});

function dropKind({ kind: _kind, ...rest }: ReturnType<typeof message>) {
  return rest;
}

it("T02: knows people by their number alone, and refuses who is listed nowhere without a word", () => {
  const cases: readonly [who: string, update: InboundUpdate, reason: string][] = [
    [
      "a name that is known with another number",
      inGroup("6", message("hi", { is_addressed: true }), "-100", "@user1001"),
      "not_allowed",
    ],
    ["a group that is not listed", inGroup("1001", message("hi"), "-999"), "group_not_allowed"],
    ["a bot in a group", byBot(inGroup("7", message("hi", { is_addressed: true }))), "bot"],
    ["a bot in private", byBot(from("7", message("hi"))), "bot"],
    ["a bot that is listed", byBot(from("1001", message("hi"))), "bot"],
    ["a channel post", channelPost(), "no_sender"],
    ["an inline query", nowhere(from("8", { kind: "other", name: "inline_query" })), "not_allowed"],
    ["a reaction", from("9", { kind: "other", name: "reaction" }), "not_allowed"],
    ["a reaction in a group", inGroup("9", { kind: "other", name: "reaction" }), "not_allowed"],
    ["a tap in a group", inGroup("9", tap), "not_allowed"],
    [
      "an anonymous admin",
      { ...inGroup("1", message("hi", { is_addressed: true })), sender: null },
      "no_sender",
    ],
    [
      "what could not be read",
      from("1001", { kind: "unreadable", reason: "no chat" }),
      "unreadable",
    ],
    ["half a character", from("\ud800", message("hi")), "unreadable"],
  ];
  for (const [who, update, reason] of cases) {
    const judged = openDoor().judge(update);
    expect([who, judged.admitted, judged.words, judged.pairings]).toEqual([who, [], [], []]);
    expect([who, judged.refusals.map((one) => one.reason)]).toEqual([who, [reason]]);
    expect([who, verdicts(judged)]).toEqual([who, [reason]]);
  }
});

function byBot(update: InboundUpdate): InboundUpdate {
  return { ...update, sender: { id: update.sender?.id ?? "", name: "bot", is_bot: true } };
}

function nowhere(update: InboundUpdate): InboundUpdate {
  return { ...update, conversation: null };
}

function channelPost(): InboundUpdate {
  const conversation = { kind: "broadcast", chat: "-55", scope: "-55" } as const;
  return { ...from("1001", message("news")), conversation, sender: null };
}

it("does not let in what a group has become, but notes its number, once", () => {
  const moved = (to: string) => ({ kind: "moved", to }) as const;
  const door = openDoor();
  const update = inGroup("9", moved("-1009"));
  const byNobody = { ...inGroup("9", moved("-1009")), sender: null };
  const reason = "group_moved: -1009";
  for (const one of [update, byNobody]) {
    const judged = door.judge(one);
    expect(judged.refusals).toMatchObject([{ by: "tg_main:-100", reason, count: 1 }]);
    expect(judged).toMatchObject({ admitted: [], words: [], pairings: [] });
    expect(verdicts(judged)).toEqual([reason]);
  }
  expect(door.judge(update).refusals).toEqual([]);
  const there = inGroup("1001", message("hi", { is_addressed: true }), "-1009");
  expect(verdicts(door.judge(there))).toEqual(["group_not_allowed"]);
});

it("has nothing to note of a group that became one which is let in, or that is not let in itself", () => {
  const { doorway } = usualSettings;
  const both = { ...usualSettings, doorway: { ...doorway, groups: ["-100", "-1009"] } };
  const update = inGroup("9", { kind: "moved", to: "-1009" });
  expect(openDoor(both).judge(update)).toMatchObject({ refusals: [], admitted: [] });
  const elsewhere = inGroup("9", { kind: "moved", to: "-1009" }, "-777");
  expect(verdicts(openDoor().judge(elsewhere))).toEqual(["group_not_allowed"]);
});

it("hears in a group only what is said to it, and by whom it knows", () => {
  const door = openDoor();
  const addressed = { is_addressed: true };
  const judged = door.judge(
    inGroup("1001", message("hi all")),
    inGroup("6", message("hi all")),
    inGroup("1001", message("@bot hi", addressed)),
    inGroup("6", message("@bot hi", addressed)),
    inGroup("1001", { kind: "other", name: "reaction" }),
  );
  expect(verdicts(judged)).toEqual([
    "not_addressed",
    "not_addressed",
    "accepted",
    "not_allowed",
    "other",
  ]);
  expect(judged.admitted.map(({ conversation }) => conversation)).toEqual(["group"]);
  expect(judged.refusals).toMatchObject([{ by: "tg_main:6", count: 1 }]);
  expect(judged.words).toEqual([]);
});

it("lets approvers tap, but write only where they are listed too", () => {
  const { judge } = openDoor();
  const judged = judge(
    from("2001", tap),
    inGroup("2001", tap),
    inGroup("2001", tap, "-999"),
    inGroup("2001", message("@bot hi", { is_addressed: true })),
    from("2001", { kind: "stop" }),
  );
  expect(judged.admitted.map(({ what }) => what.kind)).toEqual(["button", "button"]);
});

it("lets in whom the owner approved, in private alone; who was turned out hears nothing", () => {
  const door = openDoor();
  door.judge(from("5", message("hello")));
  door.decide("5", "approved");
  const paired = door.judge(
    from("5", message("hello again")),
    from("5", tap),
    inGroup("5", message("@bot hi", { is_addressed: true })),
    inGroup("5", tap),
  );
  expect(paired.admitted.map(({ what }) => what.kind)).toEqual(["message", "button"]);
  expect(paired.words).toEqual([]);
  door.decide("5", "revoked");
  door.at += 2 * hourMs;
  const revoked = door.judge(from("5", message("hello?")));
  expect(revoked).toMatchObject({ admitted: [], words: [], pairings: [] });
  expect(verdicts(revoked)).toEqual(["not_allowed"]);
});

it("has at most three open codes, and goes on when one has ended", () => {
  const door = openDoor();
  const asked = door.judge(...["5", "6", "7", "8"].map((user) => from(user, message("hello"))));
  expect(asked.pairings.map(({ user_scope }) => user_scope)).toEqual(["5", "6", "7"]);
  expect(verdicts(asked)).toEqual(["pairing", "pairing", "pairing", "not_allowed"]);
  door.at += minuteMs;
  expect(door.judge(from("8", message("hello"))).pairings).toEqual([]);
  door.decide("6", "approved");
  expect(door.judge(from("8", message("hello"))).pairings).toMatchObject([{ user_scope: "8" }]);
  door.at += hourMs - minuteMs;
  const later = door.judge(from("5", message("hello")), from("9", message("hello")));
  expect(later.pairings.map(({ user_scope }) => user_scope)).toEqual(["5", "9"]);
});

it("says nothing to strangers where pairing is off", () => {
  const { doorway } = usualSettings;
  const { judge } = openDoor({ ...usualSettings, doorway: { ...doorway, pairing: false } });
  const judged = judge(from("5", message("hello")));
  expect(judged).toMatchObject({ words: [], pairings: [] });
  expect(verdicts(judged)).toEqual(["not_allowed"]);
});

it("takes as many messages as were saved up, says once a minute how many it did not take, and goes on by the minute", () => {
  const door = openDoor();
  const flood = () => door.judge(...Array.from({ length: 50 }, () => from("1001", message("hi"))));
  const first = flood();
  expect(first.admitted).toHaveLength(20);
  expect(first.words.map(({ text }) => text)).toEqual([
    "Too many messages came at once: 30 messages were not accepted. Go on in 3s, and send again what is missing.",
  ]);
  expect(first.refusals).toMatchObject([{ by: "tg_main:1001", reason: "rate_limited", count: 30 }]);
  const second = flood();
  expect(second).toMatchObject({ admitted: [], words: [], refusals: [] });
  door.at += minuteMs;
  const third = flood();
  expect(third.admitted).toHaveLength(20);
  expect(third.refusals).toMatchObject([{ count: 80 }]);
  door.at += 10 * minuteMs;
  expect(flood().admitted).toHaveLength(20);
});

it("tells with the next message what was refused in silence", () => {
  const door = openDoor();
  const burst = (count: number) =>
    door.judge(...Array.from({ length: count }, () => from("1001", message("hi"))));
  burst(21);
  expect(burst(1).words).toEqual([]);
  door.at += minuteMs;
  const next = burst(1);
  expect(next.admitted).toHaveLength(1);
  expect(next.words.map(({ text }) => text)).toEqual([
    "Too many messages came at once: 1 message was not accepted. You can go on now, and send again what is missing.",
  ]);
});

it("lets a person stop and tap while their messages are refused", () => {
  const door = openDoor();
  door.judge(...Array.from({ length: 50 }, () => from("1001", message("hi"))));
  const verdictOf = (what: InboundUpdate["what"]) => verdicts(door.judge(from("1001", what)));
  expect(verdictOf(command("stop"))).toEqual(["accepted"]);
  expect(verdictOf({ kind: "stop" })).toEqual(["accepted"]);
  expect(verdictOf(tap)).toEqual(["accepted"]);
  expect(verdictOf(command("status"))).toEqual(["rate_limited"]);
  const taps = door.judge(...Array.from({ length: 500 }, () => from("1001", tap)));
  expect(taps.admitted).toHaveLength(97);
});

it("keeps what is there for all from one who floods", () => {
  const door = openDoor({ ...usualSettings, all: { capacity: 25, refill_per_minute: 60 } });
  const flood = Array.from({ length: 1000 }, () => from("1001", message("hi")));
  const judged = door.judge(...flood, ...flood.slice(0, 10).map(() => from("1002", message("hi"))));
  const admitted = (user: string) =>
    judged.admitted.filter(({ place }) => place.user_scope === user).length;
  expect([admitted("1001"), admitted("1002")]).toEqual([20, 5]);
  // What all are short of costs nobody a message of their own.
  expect(door.store.get(rateBucketTable, "tg_main/1002")?.tokens).toBe(15);
  expect(judged.words.map(({ text }) => text)).toEqual([
    expect.stringContaining("980 messages were not accepted. Go on in 3s"),
    expect.stringContaining("5 messages were not accepted. Go on in 1s"),
  ]);
});

it("neither gives nor takes anything when the clock is set back", () => {
  const door = openDoor();
  const burst = () => door.judge(...Array.from({ length: 30 }, () => from("1001", message("hi"))));
  burst();
  door.at -= 24 * hourMs;
  const back = burst();
  expect(back.admitted).toHaveLength(0);
  expect(back.words).toHaveLength(1);
  door.at += minuteMs;
  expect(burst().admitted).toHaveLength(20);
});

it("lets a stranger ask again whose code is of a time to come, as the clock was set back", () => {
  const door = openDoor();
  const ask = () => door.judge(from("5", message("hello"))).pairings;
  expect(ask()).toHaveLength(1);
  door.at -= 1;
  expect(ask()).toMatchObject([{ user_scope: "5", created_at: door.at }]);
});

it("leaves for later what speaks of what went before it, and what comes after that", () => {
  const { judge } = openDoor();
  const updates = [
    from("5", command("start")),
    from("1001", message("a")),
    from("5", command("start")),
    from("1001", message("b")),
    from("1001", command("stop")),
    from("1001", message("c")),
  ];
  const texts = ({ admitted }: Judged) =>
    admitted.map(({ what }) => ("text" in what ? what.text : ""));
  const first = judge(...updates);
  expect([texts(first), first.rest]).toEqual([["a"], updates.slice(2)]);
  const second = judge(...first.rest);
  expect([texts(second), second.rest]).toEqual([["b"], updates.slice(4)]);
  const third = judge(...second.rest);
  expect([texts(third), third.rest]).toEqual([["/stop"], updates.slice(5)]);
  expect(judge(...third.rest)).toMatchObject({ rest: [], admitted: [{}] });
  for (const last of [{ kind: "stop" } as const, { ...message("d"), kind: "edit" } as const]) {
    const { rest } = judge(from("1001", message("x")), from("1001", last));
    expect(rest).toMatchObject([{ what: { kind: last.kind } }]);
  }
});

it("refuses with a word what has nothing to read, or too much", () => {
  const { judge } = openDoor();
  const judged = judge(
    from("1001", message(" \n")),
    from("1001", message("x".repeat(200_001))),
    from("1001", message("x".repeat(200_000))),
    from("1001", message("", { attachments: [photo] })),
  );
  expect(verdicts(judged)).toEqual(["empty", "too_long", "accepted", "accepted"]);
  expect(judged.words).toMatchObject([
    {
      scope: "1001",
      reply_to: "7",
      text: "I found nothing to read in this message. I can read text, photos, voice messages and files.",
    },
    {
      text: "This message is too long: 200001 characters, and 200000 are possible. Send it as a file, or in parts.",
    },
  ]);
});

const photo = { kind: "photo", file_id: "f", name: null, media_type: null, bytes: 9 } as const;

it("hands on to the agent that was chosen while it is offered, else to the one of the routing", () => {
  const match = { channel_type: null, connector_id: null, user_scope: "1002" } as const;
  const routing = {
    default_agent: "main",
    bindings: [{ match: { ...match, conversation_scope: null }, agent: "home" }],
  };
  const door = openDoor({ ...usualSettings, routing });
  const agentOf = (update: InboundUpdate) => door.judge(update).admitted[0]?.place.agent_id;
  expect(agentOf(from("1001", message("hi")))).toBe("main");
  expect(agentOf(from("1002", message("hi")))).toBe("home");
  door.choose({ scope: "1002", user_scope: "1002", agent_id: "ops" });
  expect(agentOf(from("1002", message("hi")))).toBe("ops");
  expect(agentOf(inGroup("1002", message("hi", { is_addressed: true })))).toBe("home");
  door.choose({ scope: "1001", user_scope: "1001", agent_id: "withdrawn" });
  expect(agentOf(from("1001", message("hi")))).toBe("main");
});
