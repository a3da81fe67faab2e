import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConversations } from "../../bench/support/conversations.ts";

const fileOf = (evidence: readonly string[], more: object = {}) =>
  JSON.stringify([
    {
      sample_id: "conv-1",
      conversation: {
        speaker_a: "Ann",
        session_10: [{ speaker: "Ben", dia_id: "D10:1", text: "Ten." }],
        session_10_date_time: "10 May, 2023",
        session_2: [
          { speaker: "Ann", dia_id: "D2:1", text: "Look!", blip_caption: "a red kite" },
          { speaker: "Ben", dia_id: "D2:2", text: 'He said "no".', blip_caption: "" },
        ],
        session_2_date_time: "2 May, 2023",
        session_3_date_time: "nobody spoke",
        ...more,
      },
      qa: [{ question: "What?", answer: 2022, evidence, category: 2 }],
    },
  ]);

const evidenceOf = (evidence: readonly string[]) => {
  const { conversations, dropped } = readConversations(fileOf(evidence));
  return { evidence: conversations[0]?.questions[0]?.evidence, dropped };
};

describe("a file of conversations", () => {
  it("is read in the order of its sessions, a turn in the words of the paper", () => {
    expect(readConversations(fileOf(["D2:1"])).conversations).toEqual([
      {
        id: "conv-1",
        sessions: [
          {
            date: "2 May, 2023",
            turns: [
              { id: "D2:1", text: 'Ann said, "Look!" and shared a red kite' },
              { id: "D2:2", text: 'Ben said, "He said "no"."' },
            ],
          },
          { date: "10 May, 2023", turns: [{ id: "D10:1", text: 'Ben said, "Ten."' }] },
        ],
        questions: [{ text: "What?", evidence: ["D2:1"], category: "temporal" }],
      },
    ]);
  });

  it.each<[string[], string[], string[]]>([
    [["D2:1; D10:1"], ["D2:1", "D10:1"], []],
    [["D2:1 D2:2", "D2:1"], ["D2:1", "D2:2"], []],
    [["D:10:1"], ["D10:1"], []],
    [["D2:02"], ["D2:2"], []],
    [["D"], [], ["D"]],
    [["D9:9", "D2:1"], ["D2:1"], ["D9:9"]],
    [[""], [], []],
    [[], [], []],
  ])("may name its evidence so: %j", (written, evidence, dropped) => {
    expect(evidenceOf(written)).toEqual({ evidence, dropped });
  });

  it.each([
    ["nothing", "", "the file is not JSON"],
    ["half a file", "[{", "the file is not JSON"],
    ["no list", "{}", "the file: "],
    ["an empty list", "[]", "the file: "],
    ["no questions", '[{"conversation":{}}]', "the file: 0.qa"],
    ["no turns", '[{"conversation":{},"qa":[]}]', "[0].conversation: no turn"],
    [
      "a turn without text",
      fileOf([], { session_4: [{ speaker: "A", dia_id: "D4:1" }] }),
      "[0].conversation.session_4: 0.text",
    ],
    [
      "an unknown kind of question",
      fileOf([]).replace('"category":2', '"category":9'),
      "the file: 0.qa.0.category",
    ],
  ])("with %s is refused with the place", (_, json, message) => {
    expect(() => readConversations(json)).toThrow(message);
  });

  it("of our own has no evidence that is missing, and questions of all kinds", () => {
    const json = readFileSync(new URL("../fixtures/conversations.json", import.meta.url), "utf8");
    const { conversations, dropped } = readConversations(json);
    expect(dropped).toEqual([]);
    const questions = conversations.flatMap((each) => each.questions);
    expect(questions).toHaveLength(120);
    expect(questions.every(({ evidence }) => evidence.length > 0)).toBe(true);
    const count = (category: string) =>
      questions.filter((question) => question.category === category).length;
    expect([
      count("single-hop"),
      count("temporal"),
      count("multi-hop"),
      count("open-domain"),
      count("adversarial"),
    ]).toEqual([60, 20, 20, 8, 12]);
  });
});
