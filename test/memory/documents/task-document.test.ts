import { describe, expect, it } from "vitest";
import { type EndedTask, taskDocument } from "../../../src/memory/documents/task-document.ts";

const ended: EndedTask = {
  task: { task_id: "t7", text: "Find out which\nbakery is open on Sunday" },
  run: {
    state: "done",
    ended_at: Date.UTC(2026, 0, 2, 3),
    reply: "Hansen is.",
    forgotten_at: null,
  },
  partition: "task:main:local:local:cli:ann",
  origins: ["user:ann", "web:bakery.example"],
};

describe("a task that has ended", () => {
  it("is a document with what was asked, how it ended, when, and whose text it may be", () => {
    expect(taskDocument(ended)).toEqual({
      path: "task/t7",
      partition: "task:main:local:local:cli:ann",
      kind: "task",
      version: "done 1767322800000",
      chunks: [
        {
          text: "Asked: Find out which bakery is open on Sunday\nAnswered: Hansen is.",
          heading: "2026-01-02 > done",
          line_start: 1,
          line_end: 2,
          origins: ["user:ann", "web:bakery.example"],
        },
      ],
    });
  });

  it("is cut to the first words of both, and never within a character", () => {
    const text = `${"x".repeat(398)}😀${"y".repeat(1_000_000)}`;
    const document = taskDocument({
      ...ended,
      task: { task_id: "t7", text },
      run: { ...ended.run, reply: "z".repeat(5_000) },
    });
    expect(document?.chunks[0]?.text).toBe(
      `Asked: ${"x".repeat(398)}…\nAnswered: ${"z".repeat(239)}…`,
    );
  });

  it("is none while it goes on, and where nothing was asked that another could be like", () => {
    expect(taskDocument({ ...ended, run: { ...ended.run, state: null } })).toBeUndefined();
    expect(taskDocument({ ...ended, task: { task_id: "t7", text: " hello \n" } })).toBeUndefined();
  });
});
