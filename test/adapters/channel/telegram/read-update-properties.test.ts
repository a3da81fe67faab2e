import fc from "fast-check";
import { expect, it } from "vitest";
import { readUpdate } from "../../../../src/adapters/channel/telegram/updates/read-update.ts";
import { inboundUpdate } from "../../../../src/schema/inbound.ts";
import { ann, forum, group, marked, messageOf, privateChat, self } from "./wire-updates.ts";

type Fields = Readonly<Record<string, unknown>>;

const chats = fc.constantFrom<Fields>(privateChat, group, forum, { id: -5, type: "channel" });
const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.nat(700).map((length) => "\u202e".repeat(length)),
);
const entity = fc.record({
  type: fc.constantFrom("mention", "bot_command", "text_mention", "bold"),
  offset: fc.integer({ min: -3, max: 50 }),
  length: fc.integer({ min: -3, max: 50 }),
  user: fc.constantFrom(undefined, ann, { id: self.id }),
});

const said = fc
  .record(
    {
      chat: chats,
      text: words,
      entities: fc.array(entity, { maxLength: 4 }),
      caption: words,
      from: fc.oneof(
        fc.constantFrom<Fields | undefined>(undefined, { id: 1 }),
        words.map((first_name) => ({ ...ann, first_name })),
      ),
      message_thread_id: fc.integer({ min: 1, max: 9 }),
      is_topic_message: fc.boolean(),
      document: fc.record({ file_id: words, file_name: words, file_size: fc.integer() }),
      media_group_id: words,
      reply_to_message: fc.constantFrom<Fields>(messageOf({}), { message_id: "x" }),
      forward_date: fc.integer(),
    },
    { requiredKeys: [] },
  )
  .map(messageOf);

const tapped = fc.record({
  id: words,
  from: fc.constantFrom<Fields>(ann, {}),
  message: fc.option(said),
  data: words,
});

const content = fc.oneof(
  said,
  tapped,
  fc.jsonValue(),
  fc.constant(messageOf(marked("/new @statehive_bot"))),
);

const kind = fc.constantFrom(
  "message",
  "edited_message",
  "callback_query",
  "message_reaction",
  "my_chat_member",
  "stopped_message_generation",
  "channel_post",
  "__proto__",
  "",
);

const update = fc
  .tuple(fc.oneof(fc.nat(), fc.jsonValue()), kind, content)
  .map(
    ([update_id, name, value]) =>
      JSON.parse(
        `{"update_id":${JSON.stringify(update_id)},${JSON.stringify(name)}:${JSON.stringify(value)}}`,
      ) as unknown,
  );

it("T05: reads whatever comes without failing, into the shape that all channels share", () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: update }, fc.jsonValue()), (raw) => {
      const read = readUpdate(raw, self);
      expect(inboundUpdate.safeParse(read).error?.issues).toBeUndefined();
      expect(read).toEqual(readUpdate(raw, self));
    }),
    { numRuns: 300 },
  );
});
