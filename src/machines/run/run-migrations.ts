import { fromBefore, knowing } from "../../policy/origins.ts";
import type { JsonObject } from "../../schema/json.ts";
import { addUsage, noUsage, type Usage } from "../../schema/llm.ts";
import { noRounds, withRound } from "./repetition.ts";

/** The context of a run of version 1 as that of version 2: it knew its last round only, and no message could reach it. */
export function runContextFrom1(context: JsonObject): JsonObject {
  const { hash, times } = context["repeated"] as { readonly hash: string; readonly times: number };
  let repeated = noRounds;
  for (let round = 0; round < times; round += 1) repeated = withRound(repeated, hash);
  return {
    ...context,
    repeated,
    usage: addUsage(noUsage, context["usage"] as Usage),
    steered: 0,
    is_stopping: false,
    shortened: { times: 0, from_position: 0 },
    earlier_reply: null,
  };
}

/** The context of a run of version 2 as that of version 3: nobody noted where that came from which it knows, and no budget was held. */
export function runContextFrom2(context: JsonObject): JsonObject {
  return { ...context, ...knowing(fromBefore), paused: { times: 0, question: null } };
}
