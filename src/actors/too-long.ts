import { shorterHistory, type ShownHistory } from "../prompt/shorter-history.ts";
import { AgentError } from "../schema/errors.ts";

/** A model's refusal of a prompt that is too long: with the history to ask with next, or with what the person can do. */

type Refused = { readonly conversation: ShownHistory; readonly run_id: string };

/** Counts are of the provider, sizes are ours: a little less than what would fit. */
const margin = 0.9;
const keepWithoutCounts = 0.5;

/** Any other failure comes back as it is. */
export function tooLongFor(model: string, thrown: unknown, refused: Refused): unknown {
  if (!(thrown instanceof AgentError) || thrown.code !== "model.context_too_long") return thrown;
  const { details = {} } = thrown;
  const cut = shorterHistory(refused.conversation, refused.run_id, partToKeep(details));
  if (cut !== undefined) {
    return new AgentError(thrown.code, thrown.message, { details: { ...details, cut } });
  }
  const [prompt, most] = [details["prompt_tokens"], details["max_prompt_tokens"]];
  const counts =
    prompt === undefined ? "" : ` (${Number(prompt)} tokens; it takes ${Number(most)})`;
  return new AgentError(
    thrown.code,
    `Even without what was said before, this message is too long for ${model}${counts}. Send less at once, or put it into a file of the workspace and ask for parts of it.`,
    { details },
  );
}

function partToKeep(details: NonNullable<AgentError["details"]>): number {
  const part = (Number(details["max_prompt_tokens"]) / Number(details["prompt_tokens"])) * margin;
  return part > 0 && part < margin ? part : keepWithoutCounts;
}
