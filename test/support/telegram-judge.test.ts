import { expect, it } from "vitest";
import { type Evidence, faultsIn, type SaidToken, type SeenMessage } from "./telegram-judge.ts";

const said: SaidToken = { token: "w1", update_id: 5, message_id: 9, chat: 1001, topic: undefined };

function seen(text: string, changes: Partial<SeenMessage> = {}): SeenMessage {
  const version = { text, source: text, entities: [], buttons: [], at: 0 };
  return {
    chat_id: 1001,
    thread_id: undefined,
    message_id: 10,
    text,
    reply_to: undefined,
    versions: [version],
    is_deleted: false,
    ...changes,
  };
}

const told = (state: string, message_ids: readonly number[] = []) => [
  { token: "w1", state, chat: 1001, message_ids },
];

const judged = (evidence: Partial<Evidence>) =>
  faultsIn({ said: [said], confirmedBelow: 6, seen: [], replies: [], ...evidence });

it("finds nothing wrong with one answer, nor with none of an unconfirmed message", () => {
  expect(judged({ seen: [seen("answered w1")] })).toEqual([]);
  expect(judged({ confirmedBelow: 5 })).toEqual([]);
});

it("takes a reply whose answer was lost, whether or not it arrived", () => {
  const replies = told("unknown");
  expect(judged({ replies })).toEqual([]);
  expect(judged({ replies, seen: [seen("answered w1")] })).toEqual([]);
});

it("sees an answer that came twice, also where its delivery is unknown", () => {
  const twice = [seen("answered w1"), seen("answered w1", { message_id: 11 })];
  expect(judged({ seen: twice })).toEqual(["w1 was answered 2 times"]);
  expect(judged({ seen: twice, replies: told("unknown") })).toEqual(["w1 was answered 2 times"]);
  const failure = seen("The run has failed.", { message_id: 12 });
  expect(judged({ seen: [failure], replies: told("delivered", [12]) })).toEqual([]);
  expect(
    judged({ seen: [failure, seen("answered w1")], replies: told("delivered", [12]) }),
  ).toEqual(["w1 was answered 2 times"]);
});

it("sees a message that was confirmed and lost, and one whose reply died", () => {
  expect(judged({ seen: [seen("answered w12")] })).toEqual([
    "w1 was confirmed, and not answered: no reply was due",
  ]);
  expect(judged({ replies: told("dead") })).toEqual(["w1 was confirmed, and not answered: dead"]);
});

it("sees words in another chat, in another topic, also where they stood only for a while", () => {
  expect(judged({ seen: [seen("answered w1"), seen("is w1 yours?", { chat_id: 1002 })] })).toEqual([
    "w1 of 1001 was seen in 1002/",
  ]);
  const { versions } = seen("answered w1");
  const changed = seen("answered", { thread_id: 7, versions });
  expect(judged({ confirmedBelow: 0, seen: [changed] })).toEqual(["w1 of 1001 was seen in 1001/7"]);
});

it("sees an answer that stands under another message", () => {
  expect(judged({ seen: [seen("answered w1", { reply_to: 8 })] })).toEqual([
    "w1 stands under the message 8, not under 9",
  ]);
});
