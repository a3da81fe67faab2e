import { z } from "zod";
import { visibleText } from "../policy/visible-text.ts";
import { AgentError } from "../schema/errors.ts";
import { defineTool } from "./tool.ts";

export const askUserTool = defineTool({
  name: "ask_user",
  description: {
    what: "Asks the person you work for a question and waits for the answer.",
    usage:
      "Ask one thing at a time, with all that is needed to decide. Give `options` (2 to 10 short texts) where the likely " +
      "answers are few; the person may still answer in other words. The result is the answer as text.",
    examples: [
      {
        input: { question: "Which of the two calendars do you mean?", options: ["Work", "Home"] },
        means: "a choice",
      },
      { input: { question: "What should the report be called?" }, means: "a free answer" },
    ],
    notFor:
      "Do not ask for permission to use a tool: call the tool, and the person is asked where that is needed. Do not ask " +
      "what you can find out yourself.",
  },
  input: {
    question: z.string().trim().min(1).max(4000).describe("The question, complete in itself."),
    options: z
      .array(z.string().trim().min(1).max(200))
      .min(2)
      .max(10)
      .optional()
      .describe("Answers to choose from."),
  },
  risk: "safe",
  recovery: "repeat",
  capabilities: () => [],
  summary: ({ question }) => `Ask: ${visibleText(question)}`,
  asks: ({ question, options }) => (options === undefined ? { question } : { question, options }),
  run: () =>
    Promise.reject(new AgentError("internal", "ask_user is answered by a person, not executed.")),
});
