import { Option } from "commander";
import { followFork } from "../../client/chat/follow-chat.ts";
import { followOnce } from "../chat/chat-once.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { shown } from "../../text/shown.ts";
import type { ForkedRun } from "../../schema/shown/replay.ts";
import { approveOption, notEmpty } from "./chat.ts";
import { stepOption } from "./step-option.ts";

type Forking = {
  readonly at: number;
  readonly prompt: string;
  readonly approve?: "once" | "deny";
};

/** With --json: `{"type":"run.forked", …}`, then the events of `chat -p`. */
export const fork = defineCommand<[id: string], Forking>({
  usage: "fork <id>",
  summary:
    "a new conversation that goes on from a step of a run: what was said until then, and then your message",
  example: "runs fork r7 --at 41 -p 'try it without the cache'",
  exits: [
    exitCodes.failed,
    exitCodes.denied,
    exitCodes.notFound,
    exitCodes.tryAgain,
    exitCodes.interrupted,
  ],
  options: [
    stepOption("the step, as `runs replay` numbers them").makeOptionMandatory(),
    new Option("-p, --prompt <text>", "your message").makeOptionMandatory(),
    approveOption(),
  ],
  work: async (context, [id], { at, prompt, approve }) => {
    const text = notEmpty(prompt);
    return followOnce(context, {
      ...(approve === undefined ? {} : { approve }),
      async begin(connection) {
        const { accepted, events } = await followFork(connection, { id, at, text });
        return {
          session_id: accepted.session_id,
          notes: context.json ? [] : [forkedText(accepted)],
          told: { type: "run.forked", ...accepted },
          events,
        };
      },
    });
  },
});

function forkedText(forked: ForkedRun): string {
  const { session_id, session, forked_from, messages, cut_calls, is_shortened } = forked;
  const from = `${shown(forked_from.run_id)} at ${forked_from.at}`;
  const carried = `${messages} ${messages === 1 ? "message" : "messages"}`;
  return [
    `${shown(session_id)} goes on from ${from}, with ${carried}.`,
    ...(is_shortened ? ["  What was said longest ago is left behind."] : []),
    ...(cut_calls === 0
      ? []
      : [`  Tool calls without a result by then: ${cut_calls}; they count as cut off.`]),
    `  \`statehive chat -s ${shown(session)}\` talks on`,
  ].join("\n");
}
