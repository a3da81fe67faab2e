import { describe, expect, it } from "vitest";
import { readUpdate } from "../../../../src/adapters/channel/telegram/updates/read-update.ts";
import {
  ann,
  forum,
  group,
  marked,
  messageOf,
  privateChat,
  self,
  updateOf,
} from "./wire-updates.ts";

type Fields = Readonly<Record<string, unknown>>;

const read = (fields: Fields, kind?: string) => readUpdate(updateOf(fields, kind), self);
const whatOf = (fields: Fields, kind?: string) => read(fields, kind).what;

describe("a message", () => {
  it("says who wrote what where", () => {
    expect(read({ text: "hello 🦀" })).toEqual({
      update_id: "10",
      conversation: { kind: "private", chat: "1001", scope: "1001" },
      sender: { id: "1001", name: "Ann", is_bot: false },
      what: {
        kind: "message",
        message_id: "5",
        text: "hello 🦀",
        command: null,
        is_addressed: true,
        is_forwarded: false,
        attachments: [],
        album_id: null,
        reply_to: null,
        quoted: null,
      },
    });
  });

  it("knows its sender by the number alone, whatever the name says", () => {
    const from = { ...ann, id: 666, first_name: "Ann", last_name: "x".repeat(500) };
    const { sender } = read({ text: "a", from });
    expect(sender).toEqual({ id: "666", name: `Ann ${"x".repeat(196)}`, is_bot: false });
  });

  it("has no sender where a group or a channel speaks, or nobody", () => {
    const anonymous = { id: 1_087_968_824, is_bot: true, first_name: "Group" };
    expect(read({ text: "a", from: anonymous, chat: group, sender_chat: group }).sender).toBeNull();
    expect(read({ text: "a", from: undefined, chat: group }).sender).toBeNull();
  });

  describe("that answers another", () => {
    const bob = { id: 1002, is_bot: false, first_name: "Bob" };
    const quotedIn = (replied: Fields, fields: Fields = {}) => {
      const reply_to_message = { ...messageOf({ chat: group, ...replied }), message_id: 4 };
      const what = whatOf({
        text: "what does this mean?",
        chat: group,
        reply_to_message,
        ...fields,
      });
      return what.kind === "message" ? what.quoted : undefined;
    };

    it("says what that one says, and whether its person wrote that", () => {
      expect(quotedIn({ from: bob, text: "Send me the notes." })).toEqual({
        text: "Send me the notes.",
        is_own: false,
      });
      expect(quotedIn({ from: bob, caption: "A cat" })).toEqual({ text: "A cat", is_own: false });
      expect(quotedIn({ from: ann, text: "my words" })).toEqual({ text: "my words", is_own: true });
    });

    it("takes for nobody's own what its person had forwarded, or said through another bot or in a group's name", () => {
      for (const fields of [{ forward_date: 1 }, { via_bot: bob }, { sender_chat: group }])
        expect(quotedIn({ from: ann, text: "words", ...fields })).toEqual({
          text: "words",
          is_own: false,
        });
    });

    it("says of ours only what its person picked", () => {
      const ours = {
        from: { id: self.id, is_bot: true, first_name: "Bot" },
        text: "A long answer",
      };
      expect(quotedIn(ours)).toBeNull();
      expect(quotedIn(ours, { quote: { text: "long" } })).toEqual({ text: "long", is_own: false });
    });

    it("brings the files of that one, where it brings none of its own", () => {
      const photo = [{ file_id: "theirs", width: 1, height: 1 }];
      const reply_to_message = { ...messageOf({ chat: group, from: bob, photo }), message_id: 4 };
      const asked = { chat: group, reply_to_message };
      expect(whatOf({ ...asked, text: "what is this?" })).toMatchObject({
        attachments: [{ kind: "photo", file_id: "theirs" }],
        quoted: { text: "", is_own: false },
      });
      const voice = { file_id: "mine" };
      expect(whatOf({ ...asked, text: undefined, voice })).toMatchObject({
        attachments: [{ kind: "voice", file_id: "mine" }],
        quoted: null,
      });
      const ours = { ...reply_to_message, from: { id: self.id, is_bot: true, first_name: "Bot" } };
      expect(whatOf({ ...asked, reply_to_message: ours, text: "thanks" })).toMatchObject({
        attachments: [],
        quoted: null,
      });
    });

    it("says what was picked of a message of another chat, and the beginning of a very long one", () => {
      const elsewhere = { reply_to_message: undefined, quote: { text: "from there" } };
      expect(quotedIn({}, elsewhere)).toEqual({ text: "from there", is_own: false });
      expect(quotedIn({ from: bob, text: `${"a".repeat(1_999)}🦀` })?.text).toBe("a".repeat(1_999));
      expect(quotedIn({ from: bob })).toBeNull();
    });
  });

  it("is known as somebody else's when it was forwarded or came through another bot", () => {
    const origin = { type: "hidden_user", sender_user_name: "Eve", date: 1 };
    for (const fields of [{ forward_origin: origin }, { forward_date: 1 }, { via_bot: ann }])
      expect(whatOf({ ...marked("/stop"), ...fields })).toMatchObject({
        is_forwarded: true,
        command: null,
        text: "/stop",
      });
  });

  it("keeps half characters from anywhere", () => {
    const what = whatOf({ text: "a\ud83dz", from: { ...ann, first_name: "\udc00" } });
    expect(what).toMatchObject({ text: "a\ufffdz" });
  });

  it("stands as an edit for what was written anew, and as nothing where no words changed", () => {
    expect(whatOf({ text: "better" }, "edited_message")).toMatchObject({
      kind: "edit",
      text: "better",
    });
    expect(whatOf({ location: {} }, "edited_message")).toEqual({
      kind: "other",
      name: "edited_message",
    });
  });

  it("tells which supergroup a group has become, and nothing of one that would be a person", () => {
    expect(whatOf({ migrate_to_chat_id: -100123 })).toEqual({ kind: "moved", to: "-100123" });
    expect(whatOf({ migrate_to_chat_id: 1002 })).toMatchObject({ kind: "unreadable" });
  });

  it("is a notice when people wrote nothing: somebody joined, something was pinned", () => {
    expect(whatOf({ new_chat_members: [ann] })).toEqual({ kind: "other", name: "notice" });
    expect(whatOf({ location: { latitude: 1, longitude: 2 } })).toMatchObject({
      kind: "message",
      text: "",
    });
    expect(whatOf({ sticker: { emoji: "👍" } })).toMatchObject({ kind: "message", text: "👍" });
  });
});

describe("files", () => {
  it("are named with what Telegram says of them, of a photo the largest", () => {
    const sizes = [
      { file_id: "small", width: 90, height: 60, file_size: 100 },
      { file_id: "large", width: 900, height: 600, file_size: 9000 },
    ];
    const what = whatOf({
      photo: sizes,
      voice: { file_id: "v", duration: 3, mime_type: "audio/ogg" },
      document: {
        file_id: "d",
        file_name: "../../etc/passwd",
        mime_type: "text/plain",
        file_size: 5,
      },
      caption: "look",
      media_group_id: "album-1",
    });
    expect(what).toMatchObject({ text: "look", album_id: "album-1" });
    expect(what.kind === "message" ? what.attachments : []).toEqual([
      { kind: "photo", file_id: "large", name: null, media_type: null, bytes: 9000 },
      { kind: "voice", file_id: "v", name: null, media_type: "audio/ogg", bytes: null },
      {
        kind: "document",
        file_id: "d",
        name: "../../etc/passwd",
        media_type: "text/plain",
        bytes: 5,
      },
    ]);
  });
});

describe("commands", () => {
  it.each([
    ["/stop now", { name: "stop", args: "now" }],
    ["/STOP@Statehive_Bot", { name: "stop", args: "" }],
    ["/start@other_bot", null],
    ["please /stop", null],
    ["/stop@statehive_bot_2", null],
  ])("are those that a message begins with, for this bot: %j", (text, command) => {
    expect(whatOf(marked(text))).toMatchObject({ command, text });
  });

  it("may stand behind the bot's name", () => {
    const what = whatOf({ ...marked("@statehive_bot, /agent coder"), chat: group });
    expect(what).toMatchObject({
      command: { name: "agent", args: "coder" },
      text: "/agent coder",
      is_addressed: true,
    });
  });

  it("are nothing that merely looks like one", () => {
    expect(whatOf({ text: "/stop" })).toMatchObject({ command: null, text: "/stop" });
  });
});

describe("in a group", () => {
  const inGroup = (fields: Fields) => whatOf({ chat: group, ...fields });

  it.each([
    ["just talking", false],
    ["🦀🦀 @statehive_bot what is new?", true],
    ["@StateHive_Bot", true],
    ["@other_bot what is new?", false],
    ["/status", false],
    ["/status@statehive_bot", true],
    ["/status@other_bot", false],
  ])("hears what is said to it: %j", (text, isAddressed) => {
    expect(inGroup(marked(text))).toMatchObject({ is_addressed: isAddressed });
  });

  it("hears a mention of one who has no username, and a reply to its own messages", () => {
    const entity = { type: "text_mention", offset: 0, length: 3, user: { id: self.id } };
    expect(inGroup({ text: "Bot!", entities: [entity] })).toMatchObject({ is_addressed: true });
    const ours = messageOf({
      message_id: 4,
      from: { id: self.id, is_bot: true, first_name: "Bot" },
    });
    expect(inGroup({ text: "yes", reply_to_message: ours })).toMatchObject({
      is_addressed: true,
      reply_to: "4",
    });
    const others = messageOf({ message_id: 4 });
    expect(inGroup({ text: "yes", reply_to_message: others })).toMatchObject({
      is_addressed: false,
      reply_to: "4",
    });
  });

  it("leaves the bot's name away at the beginning only", () => {
    expect(inGroup(marked("@statehive_bot: what is new?"))).toMatchObject({ text: "what is new?" });
    expect(inGroup(marked("ask @statehive_bot"))).toMatchObject({ text: "ask @statehive_bot" });
    expect(inGroup(marked("@statehive_bot"))).toMatchObject({ text: "@statehive_bot" });
  });

  it("keeps topics apart, and General from the group that has no topics", () => {
    const scopeOf = (fields: Fields) => read({ text: "a", ...fields }).conversation?.scope;
    expect(scopeOf({ chat: forum, message_thread_id: 7, is_topic_message: true })).toBe(
      "-100123/7",
    );
    expect(scopeOf({ chat: forum })).toBe("-100123/1");
    expect(scopeOf({ chat: group, message_thread_id: 7 })).toBe("-100123");
    expect(scopeOf({ chat: privateChat, message_thread_id: 9, is_topic_message: true })).toBe(
      "1001/9",
    );
  });

  it("takes the message that opened a topic for no answer to it", () => {
    const opening = {
      message_id: 7,
      chat: forum,
      date: 1,
      from: { id: self.id },
      forum_topic_created: {},
    };
    const inTopic = { chat: forum, message_thread_id: 7, is_topic_message: true };
    expect(whatOf({ text: "a", ...inTopic, reply_to_message: opening })).toMatchObject({
      is_addressed: false,
      reply_to: null,
    });
  });
});

describe("what is no message", () => {
  const tap = { id: "tap-1", from: ann, chat_instance: "1", data: "o:a1:0123" };
  const readKind = (kind: string, content: unknown) =>
    readUpdate({ update_id: 11, [kind]: content }, self);

  it("is a tap, with the person who tapped and the message's place", () => {
    const message = messageOf({
      chat: forum,
      message_thread_id: 7,
      is_topic_message: true,
      from: { id: self.id },
    });
    expect(readKind("callback_query", { ...tap, message })).toEqual({
      update_id: "11",
      conversation: { kind: "group", chat: "-100123", scope: "-100123/7" },
      sender: { id: "1001", name: "Ann", is_bot: false },
      what: { kind: "button", message_id: "5", data: "o:a1:0123", tap_id: "tap-1" },
    });
    const gone = { chat: privateChat, message_id: 5, date: 0 };
    expect(readKind("callback_query", { ...tap, message: gone }).what).toMatchObject({
      kind: "button",
    });
    expect(readKind("callback_query", tap).what).toEqual({ kind: "other", name: "callback_query" });
  });

  it("is the native stop button, of the one person of a private chat", () => {
    expect(readKind("stopped_message_generation", { chat: privateChat, draft_id: 3 })).toEqual({
      update_id: "11",
      conversation: { kind: "private", chat: "1001", scope: "1001" },
      sender: { id: "1001", name: "Ann", is_bot: false },
      what: { kind: "stop" },
    });
    expect(readKind("stopped_message_generation", { chat: group, draft_id: 3 }).sender).toBeNull();
  });

  it("T02: is known and nothing more: reactions, memberships, channel posts, inline queries", () => {
    const reaction = { chat: group, message_id: 5, user: ann, new_reaction: [] };
    expect(readKind("message_reaction", reaction)).toMatchObject({
      conversation: { scope: "-100123" },
      sender: { id: "1001" },
      what: { kind: "other", name: "reaction" },
    });
    const membership = { chat: group, from: ann, date: 1 };
    expect(readKind("my_chat_member", membership).what).toEqual({
      kind: "other",
      name: "membership",
    });
    const channel = { id: -1007, type: "channel", title: "News" };
    expect(
      readKind("channel_post", messageOf({ chat: channel, text: "/stop", from: undefined })),
    ).toMatchObject({
      conversation: { kind: "broadcast", chat: "-1007" },
      sender: null,
      what: { kind: "other", name: "channel_post" },
    });
    expect(readKind("inline_query", { id: "1", from: ann, query: "/stop" }).what).toEqual({
      kind: "other",
      name: "inline_query",
    });
    expect(readKind("Evil\u202ekind", {}).what).toEqual({ kind: "other", name: "unknown" });
  });
});

describe("what cannot be read", () => {
  const reasonOf = (raw: unknown) => {
    const { what } = readUpdate(raw, self);
    return what.kind === "unreadable" ? what.reason : `read as ${what.kind}`;
  };

  it.each([
    ["no object", [1], "It is no object."],
    ["no number", { message: {} }, "Its update_id is no whole number."],
    ["half a number", { update_id: 1.5 }, "Its update_id is no whole number."],
    ["nothing in it", { update_id: 1 }, "There is nothing in it."],
    [
      "no chat",
      updateOf({ chat: undefined }),
      "chat: Invalid input: expected object, received undefined",
    ],
    ["a chat without a kind", updateOf({ chat: { id: 5, type: "secret" } }), "chat.type: "],
    ["a sender without a number", updateOf({ from: { id: "1001", is_bot: false } }), "from.id: "],
    ["entities that are none", updateOf({ text: "a", entities: "all" }), "entities: "],
    ["a file without an id", updateOf({ document: { file_name: "a" } }), "document.file_id: "],
    [
      "a text of a megabyte",
      updateOf({ text: "x".repeat(1_048_576) }),
      "Its text has 1048576 characters",
    ],
    [
      "a data of a megabyte",
      { update_id: 1, callback_query: { id: "1", from: ann, data: "x".repeat(1_048_576) } },
      "data: ",
    ],
  ])("T05: is told with its reason: %s", (_, raw, reason) => {
    expect(reasonOf(raw)).toContain(reason);
  });

  it("T05: says still who sent it and where, as far as that can be read", () => {
    expect(read({ text: 5 })).toMatchObject({
      conversation: { scope: "1001" },
      sender: { id: "1001" },
      what: { kind: "unreadable" },
    });
  });

  it("T05: is told apart by what is in it where there is no number", () => {
    const ids = [{ a: 1 }, { a: 2 }, { a: 1 }].map((raw) => readUpdate(raw, self).update_id);
    expect(ids[0]).toMatch(/^unnumbered-[0-9a-f]{16}$/);
    expect(ids[1]).not.toBe(ids[0]);
    expect(ids[2]).toBe(ids[0]);
  });

  it("T05: passes over entities that lie outside the text, and reads the rest", () => {
    const entities = [
      { type: "bot_command", offset: 0, length: 99 },
      { type: "mention", offset: -5, length: 10 },
      { type: "mention", offset: 2_147_483_647, length: 2_147_483_647 },
    ];
    expect(whatOf({ chat: group, text: "/stop", entities })).toMatchObject({
      kind: "message",
      text: "/stop",
      command: null,
      is_addressed: false,
    });
  });

  it("T05: reads no more of a chain of replies than its first link", () => {
    let chain: Fields = messageOf({ text: "the first" });
    for (let depth = 0; depth < 20_000; depth += 1) chain = messageOf({ reply_to_message: chain });
    expect(whatOf({ text: "the last", reply_to_message: chain })).toMatchObject({
      text: "the last",
      reply_to: "5",
    });
  });
});
