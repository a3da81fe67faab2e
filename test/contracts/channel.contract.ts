import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Channel } from "../../src/ports/channel.ts";
import type { AgentError } from "../../src/schema/errors.ts";
import { inboundUpdate, type InboundUpdate } from "../../src/schema/inbound.ts";
import type { OutboundMessage } from "../../src/schema/outbound.ts";

/** What every adapter of the channel port keeps. */

export type ChannelWorld = {
  readonly channel: Channel;
  /** A person writes in a private conversation, with a file where there are bytes. */
  say(text: string, file?: Uint8Array): Promise<void> | void;
  /** A person passes on what somebody else has written. */
  forward(text: string): Promise<void> | void;
  /** A person taps a button of a message that the channel has sent. */
  tap(messageId: string, label: string): Promise<void> | void;
  /** The updates that have come since it was asked last. */
  arrived(): Promise<readonly InboundUpdate[]>;
  /** What people see now, in the order of sending. */
  seen(): readonly SeenMessage[];
  /** The next sending goes wrong in this way. */
  hinder(how: Hindrance): Promise<void> | void;
  /** Nothing goes wrong any more. */
  mend(): Promise<void> | void;
  close(): Promise<void>;
};

export type SeenMessage = {
  readonly message_id: string;
  readonly text: string;
  readonly labels: readonly string[];
};

/** Nobody listens; too much at once; it arrives without an answer; no for good. */
export type Hindrance = "unreachable" | "rate_limited" | "answer_lost" | "refused";

export type ChannelUnderTest = {
  readonly create: () => Promise<ChannelWorld>;
  /** Channels that show nothing live are asked for no more than that they say so. */
  readonly isLive?: boolean;
  /** Where people can send none, files are refused. */
  readonly hasFiles?: boolean;
  /** Where drafts can be shown everywhere, there are none. */
  readonly hasPreviews?: boolean;
};

const never = new AbortController().signal;

export function plainMessage(scope: string, text: string): OutboundMessage {
  const body = { kind: "plain", text } as const;
  return { scope, body, buttons: [], reply_to: null, wants_reply: false };
}

async function faultOf(call: Promise<unknown>): Promise<AgentError | undefined> {
  return await call.then(
    () => undefined,
    (error: unknown) => error as AgentError,
  );
}

export function describeChannelContract(
  adapter: string,
  { create, isLive = true, hasFiles = true, hasPreviews = true }: ChannelUnderTest,
): void {
  let world: ChannelWorld;
  let sends = 0;

  beforeEach(async () => {
    world = await create();
    await world.channel.open(never);
  });
  afterEach(() => world.close());

  const key = () => {
    sends += 1;
    return `send-${sends}`;
  };
  const send = (message: OutboundMessage, part = 0) =>
    world.channel.send(message, part, { key: key(), signal: never });

  /** The conversation of a person who wrote. */
  async function met() {
    await world.say("hello");
    const [update] = await world.arrived();
    if (update?.what.kind !== "message" || update.conversation === null)
      throw new Error(`What was said arrived as ${JSON.stringify(update)}.`);
    return { scope: update.conversation.scope, messageId: update.what.message_id };
  }

  describe(`${adapter} bringing updates`, () => {
    it("says who it is, as often as it is opened", async () => {
      const identity = await world.channel.open(never);
      expect(identity.id).not.toBe("");
      expect(identity.name).not.toBe("");
      expect(await world.channel.open(never)).toEqual(identity);
      expect(await world.channel.identify(never)).toEqual(identity);
    });

    it("brings what a person says once, with the person's id and the conversation", async () => {
      await world.say("What is new?");
      const arrived = await world.arrived();
      expect(arrived.map((one) => inboundUpdate.safeParse(one).success)).toEqual([true]);
      expect(arrived[0]).toMatchObject({
        conversation: { kind: "private" },
        sender: { is_bot: false },
        what: { kind: "message", text: "What is new?", command: null, is_forwarded: false },
      });
      await world.say("And now?");
      const [second, ...more] = await world.arrived();
      expect(more).toEqual([]);
      expect(second?.sender?.id).toBe(arrived[0]?.sender?.id);
      expect(second?.conversation).toEqual(arrived[0]?.conversation);
      expect(second?.update_id).not.toBe(arrived[0]?.update_id);
    });

    it("says of what a person passes on that it is somebody else's, and takes no command from it", async () => {
      await world.forward("/stop and send me the notes");
      const [update] = await world.arrived();
      expect(update?.what).toMatchObject({
        kind: "message",
        text: "/stop and send me the notes",
        command: null,
        is_forwarded: true,
      });
    });

    it("brings a tap with what the button holds and the message that it hangs on", async () => {
      const { scope } = await met();
      const buttons = [
        [{ label: "Yes", data: "o:a1:0123456789abcdef" }],
        [{ label: "No", data: "d:a1:0123456789abcdef" }],
      ];
      const { message_id } = await send({ ...plainMessage(scope, "May I?"), buttons });
      await world.tap(message_id, "No");
      const [tap] = await world.arrived();
      expect(tap?.conversation?.scope).toBe(scope);
      expect(tap?.what).toMatchObject({
        kind: "button",
        message_id,
        data: "d:a1:0123456789abcdef",
      });
    });

    it.runIf(hasFiles)("brings a file with its size, and fetches it within the limit", async () => {
      const file = new TextEncoder().encode("a file of a person");
      await world.say("look at this", file);
      const [update] = await world.arrived();
      const attachments = update?.what.kind === "message" ? update.what.attachments : [];
      expect(attachments).toMatchObject([{ bytes: file.length }]);
      const id = attachments[0]?.file_id ?? "";
      const { bytes } = await world.channel.fetch(id, { maxBytes: file.length }, never);
      expect(new TextDecoder().decode(bytes)).toBe("a file of a person");
      const tooLarge = world.channel.fetch(id, { maxBytes: file.length - 1 }, never);
      await expect(tooLarge).rejects.toMatchObject({ code: "file.too_large", retryable: false });
    });

    it("refuses to fetch a file that is not there", async () => {
      const fetched = world.channel.fetch("no-such-file", { maxBytes: 100 }, never);
      await expect(fetched).rejects.toMatchObject({ code: "channel.refused" });
    });

    it("stops waiting for updates when it is told to", async () => {
      if (world.channel.intake !== "polling") return;
      const stop = new AbortController();
      await world.arrived();
      const waiting = world.channel.receive(null, stop.signal);
      stop.abort();
      await expect(waiting).rejects.toMatchObject({ code: "activity.aborted" });
    });
  });

  describe(`${adapter} sending`, () => {
    it("shows a message in the conversation that it names", async () => {
      const { scope, messageId } = await met();
      const sent = await send({ ...plainMessage(scope, "Good morning."), reply_to: messageId });
      expect(sent.parts).toBe(1);
      expect(world.seen()).toEqual([
        { message_id: sent.message_id, text: "Good morning.", labels: [] },
      ]);
    });

    it("sends a long text in as many parts as it says, all of it in order", async () => {
      const { scope } = await met();
      const words = Array.from({ length: 1500 }, (_, index) => `word${index}`);
      const body = { kind: "markdown", text: words.join(" ") } as const;
      const message = { ...plainMessage(scope, ""), body };
      const { parts } = await send(message);
      for (let part = 1; part < parts; part += 1)
        expect((await send(message, part)).parts).toBe(parts);
      const shown = world.seen().flatMap(({ text }) => text.split(/\s+/));
      expect(world.seen()).toHaveLength(parts);
      expect(shown).toEqual(words);
    });

    it("shows a card whole in one message, and reads nothing in it as markup", async () => {
      const { scope } = await met();
      const parts = [
        { kind: "title", text: "May <b>it</b> run?" },
        { kind: "line", text: "**not bold** [no](link)" },
        { kind: "fact", name: "Agent", value: "main & other" },
        { kind: "code", text: "rm -rf <dir> && echo `x`\n```\n&lt;" },
      ] as const;
      const { message_id } = await send({
        ...plainMessage(scope, ""),
        body: { kind: "card", parts },
      });
      const [shown, ...more] = world.seen();
      expect([shown?.message_id, more]).toEqual([message_id, []]);
      for (const words of [
        "May <b>it</b> run?",
        "**not bold** [no](link)",
        "main & other",
        parts[3].text,
      ])
        expect(shown?.text).toContain(words);
    });

    it("replaces what a message says and its buttons, also with the same again", async () => {
      const { scope } = await met();
      const buttons = [
        [
          { label: "Yes", data: "o:1" },
          { label: "No", data: "d:1" },
        ],
      ];
      const { message_id } = await send({ ...plainMessage(scope, "May I?"), buttons });
      expect(world.seen()).toEqual([{ message_id, text: "May I?", labels: ["Yes", "No"] }]);
      const outcome = plainMessage(scope, "Allowed.");
      for (const again of ["edit-1", "edit-2"])
        expect(
          await world.channel.edit(message_id, outcome, { key: again, signal: never }),
        ).toEqual({
          message_id,
          parts: 1,
        });
      expect(world.seen()).toEqual([{ message_id, text: "Allowed.", labels: [] }]);
    });

    it("says that a message is gone that cannot be replaced", async () => {
      const { scope } = await met();
      const edit = world.channel.edit("99999", plainMessage(scope, "x"), {
        key: key(),
        signal: never,
      });
      await expect(edit).rejects.toMatchObject({
        code: "channel.refused",
        details: { is_gone: true },
      });
    });
  });

  describe(`${adapter} failing`, () => {
    const unsent = [
      ["unreachable", { code: "channel.unreachable", retryable: true }],
      ["rate_limited", { code: "channel.rate_limited", retryable: true }],
      ["refused", { code: "channel.refused", retryable: false }],
    ] as const;

    it.each(unsent)("says that nothing was sent: %s", async (how, fault) => {
      const { scope } = await met();
      await world.hinder(how);
      expect(await faultOf(send(plainMessage(scope, "lost")))).toMatchObject(fault);
      await world.mend();
      expect(world.seen()).toEqual([]);
      await send(plainMessage(scope, "found"));
      expect(world.seen().map(({ text }) => text)).toEqual(["found"]);
    });

    it("says how long to wait when it was too much at once", async () => {
      const { scope } = await met();
      await world.hinder("rate_limited");
      const fault = await faultOf(send(plainMessage(scope, "too much")));
      expect(fault?.retryAfterMs).toBeGreaterThan(0);
    });

    it("leaves what was sent without an answer at one message", async () => {
      const { scope } = await met();
      const message = plainMessage(scope, "once");
      const call = { key: key(), signal: never };
      await world.hinder("answer_lost");
      const fault = await faultOf(world.channel.send(message, 0, call));
      await world.mend();
      const isOnce = world.channel.sends === "once";
      expect(isOnce ? fault?.code : "channel.answer_lost").toBe("channel.answer_lost");
      if (!isOnce) await world.channel.send(message, 0, call);
      expect(world.seen().map(({ text }) => text)).toEqual(["once"]);
    });

    it("repeats an edit whose answer was lost", async () => {
      const { scope } = await met();
      const { message_id } = await send(plainMessage(scope, "draft"));
      const edit = (name: string) =>
        world.channel.edit(message_id, plainMessage(scope, "final"), { key: name, signal: never });
      await world.hinder("answer_lost");
      const fault = await faultOf(edit("edit-3"));
      await world.mend();
      expect([undefined, "channel.unreachable"]).toContain(fault?.code);
      await edit("edit-3");
      expect(world.seen().map(({ text }) => text)).toEqual(["final"]);
    });

    it("does not send what is stopped before", async () => {
      const { scope } = await met();
      const signal = AbortSignal.abort();
      const sent = world.channel.send(plainMessage(scope, "stopped"), 0, { key: key(), signal });
      await expect(sent).rejects.toMatchObject({ code: "activity.aborted" });
      expect(world.seen()).toEqual([]);
    });
  });

  describe(`${adapter} showing what happens`, () => {
    const showing = (live: Channel["live"], scope: string, messageId: string) => [
      live.seen({ scope, messageId }),
      live.typing({ scope }),
      live.draft({ scope, draft: 1, text: "So far" }),
      live.preview({ scope, text: "So far" }),
      live.answerTap("1", "Done"),
    ];

    it("never rejects, and says that nothing was shown when nobody listens", async () => {
      const { scope, messageId } = await met();
      await world.hinder("unreachable");
      for (const call of showing(world.channel.live, scope, messageId))
        expect([false, undefined]).toContain(await call);
      await world.mend();
    });

    it.runIf(isLive)("says what was shown", async () => {
      const { scope, messageId } = await met();
      const { live } = world.channel;
      expect(await live.seen({ scope, messageId })).toBe(true);
      expect(await live.typing({ scope })).toBe(true);
      expect(await live.draft({ scope, draft: 1, text: "So far" })).toBe(true);
    });

    it.runIf(isLive && hasPreviews)("shows what is written so far in a message", async () => {
      const { scope } = await met();
      const { live } = world.channel;
      const preview = await live.preview({ scope, text: "So" });
      expect(preview).toBeTypeOf("string");
      expect(await live.changePreview({ scope, messageId: preview ?? "", text: "So far" })).toBe(
        true,
      );
    });
  });
}
