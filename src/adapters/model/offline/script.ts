import type { JsonObject } from "../../../schema/json.ts";

/** What the offline model does about a sentence: a generator that yields rounds of calls and returns its answer.
 *  It keeps no state: at every request it runs again from the start, over the results in the messages. */

export type WantedCall = { readonly tool: string; readonly input: JsonObject };
export type Outcome = WantedCall & { readonly output: string; readonly isError: boolean };
export type Round = readonly Outcome[];
export type Script = Generator<readonly WantedCall[], string, Round>;

export type Scene = {
  readonly offered: ReadonlySet<string>;
  /** Every outcome of the conversation so far, oldest first; grows as the script runs. */
  readonly past: Outcome[];
};

export type Understood = {
  readonly script: (scene: Scene) => Script;
  /** False when something must be asked first. */
  readonly isComplete: boolean;
};

export type Intent = {
  /** What it can do, in words: `read files`. */
  readonly ability: string;
  /** The tool without which it is not offered; none for mere talk. */
  readonly tool?: string;
  readonly examples: readonly string[];
  readonly understand: (sentence: string) => Understood | undefined;
};

export function* runCalls(
  scene: Scene,
  calls: readonly WantedCall[],
): Generator<readonly WantedCall[], Round, Round> {
  const round = yield calls;
  scene.past.push(...round);
  return round;
}

/** The person's answer, or nothing when nobody can be asked or nobody answered. */
export function* askPerson(
  scene: Scene,
  question: string,
): Generator<readonly WantedCall[], string | undefined, Round> {
  if (!scene.offered.has("ask_user")) return undefined;
  const [answer] = yield* runCalls(scene, [{ tool: "ask_user", input: { question } }]);
  const words = answer?.output.trim();
  return answer === undefined || answer.isError || words === "" ? undefined : words;
}

const noCalls: readonly (readonly WantedCall[])[] = [];

export function* say(text: string): Script {
  yield* noCalls;
  return text;
}
