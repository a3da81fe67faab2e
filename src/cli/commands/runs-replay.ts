import { Option } from "commander";
import type { ReplayFrame, ReplayPage } from "../../schema/shown/replay.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { positiveInteger } from "../global-options.ts";
import { momentText } from "../output/moment-text.ts";
import { replayText } from "../output/replay-text.ts";
import { type RecordSource, reading } from "../reading.ts";
import { stepOption } from "./step-option.ts";

type Replaying = { readonly at?: number; readonly limit: number };

const pageLength = 200;

export const replay = defineCommand<[id: string], Replaying>({
  usage: "replay <id>",
  summary: "what a run did, step by step, from the journal; nothing happens again",
  example: "runs replay r7 --at 41",
  offline: "file",
  exits: [exitCodes.notFound],
  options: [
    stepOption("the run as it was after that step, instead of the steps"),
    new Option("--limit <n>", "at most so many steps, from the beginning")
      .argParser(positiveInteger)
      .default(1_000),
  ],
  async work(context, [id], { at, limit }) {
    if (at !== undefined) {
      const moment = await reading(context, ({ call }) => call("runs.moment", { id, seq: at }));
      return { data: moment, text: momentText(moment, context) };
    }
    const whole = await reading(context, (source) => readSteps(source, id, limit));
    return { data: whole, text: replayText(whole, context.width) };
  },
});

async function readSteps({ call }: RecordSource, id: string, most: number): Promise<ReplayPage> {
  const frames: ReplayFrame[] = [];
  for (let after_seq = 0; ;) {
    const limit = Math.min(pageLength, most - frames.length);
    const page = await call("runs.replay", { id, after_seq, limit });
    frames.push(...page.frames);
    if (page.next === null || frames.length >= most) return { ...page, frames };
    after_seq = page.next;
  }
}
