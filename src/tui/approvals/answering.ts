import { readAnswer } from "../../client/chat/question.ts";
import type { ShownApproval } from "../../schema/socket/protocol.ts";
import { wrapWords } from "../../text/wrap-words.ts";
import type { App } from "../app/app.ts";
import type { Line } from "../frame/frame.ts";
import { line } from "../frame/line.ts";
import { own, safe, safeLines } from "../frame/safe-text.ts";
import { QuestionOverlay } from "../overlays/question-overlay.ts";

/** The question itself stands in the pane below; here as much of it as reminds of it. */
const linesOfQuestion = 4;

/** Takes the answer to a question: the number of one that it offers, or what is typed. */
export function typeAnswer(
  app: App,
  approval: ShownApproval,
  answer: (value: string) => void,
): void {
  const { id, kind, options } = approval;
  const isFree = kind === "question";
  app.open(
    new QuestionOverlay(app, {
      title: own`answer ${safe(id)}`,
      about: (width) => aboutLines(approval, width),
      fields: [
        {
          name: "answer",
          label: own`your answer`,
          about:
            options.length === 0
              ? own`in your words`
              : isFree
                ? own`a number, or in your words`
                : own`a number, or its word`,
        },
      ],
      onDone({ answer: typed = "" }) {
        const read = readAnswer(approval, typed);
        if (read?.method !== "approvals.answer")
          return typed.trim() === ""
            ? own`nothing is typed yet`
            : own`that is none of the answers it offers`;
        answer(read.params.value);
        return undefined;
      },
    }),
  );
}

function aboutLines({ summary, options }: ShownApproval, width: number): Line[] {
  const asked = safeLines(summary).flatMap((text) => wrapWords(text, width));
  const cut = asked.length > linesOfQuestion ? [...asked.slice(0, linesOfQuestion), "…"] : asked;
  const offered = options.map((option, index) => line(own`  ${index + 1}. ${safe(option)}`));
  return [...cut.map((text) => line(safe(text), { bold: true })), ...offered];
}
