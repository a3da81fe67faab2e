import { asking } from "./asking.ts";
import { appending, copying } from "./copying.ts";
import { fetching } from "./fetching.ts";
import { listing } from "./listing.ts";
import { noting } from "./noting.ts";
import { reading } from "./reading.ts";
import { recalling } from "./recalling.ts";
import { remembering } from "./remembering.ts";
import { replacing } from "./replacing.ts";
import { running } from "./running.ts";
import { say, type Intent, type Script, type Scene, type Understood } from "./script.ts";
import { searching } from "./searching.ts";
import { steering } from "./steering.ts";
import { createTalking } from "./talking.ts";
import { clausesOf, withoutCourtesy } from "./words.ts";
import { writing } from "./writing.ts";

/** Everything the offline model understands, in the order in which it is tried. A new tool adds one intent here. */

const whatItIs = "I am the built-in offline model: rules, not a neural net.";
const howToGetMore = "For a real model, set ANTHROPIC_API_KEY and start the service again.";

function abilities(offered: ReadonlySet<string>): string {
  const able = intents.filter((intent) => intent.tool === undefined || offered.has(intent.tool));
  const lines = able.map(
    (intent) =>
      `- ${intent.ability}: ${intent.examples.map((example) => `"${example}"`).join(", ")}`,
  );
  return `I can:\n${lines.join("\n")}`;
}

function introduce(offered: ReadonlySet<string>): string {
  return `${whatItIs} I follow plain sentences and use tools; I do not think.\n\n${abilities(offered)}\n\n${howToGetMore}`;
}

const intents: readonly Intent[] = [
  steering,
  asking,
  running,
  fetching,
  copying,
  appending,
  replacing,
  writing,
  noting,
  recalling,
  remembering,
  searching,
  listing,
  reading,
  createTalking(introduce),
];

function understandClause(clause: string): Understood | undefined {
  for (const intent of intents) {
    const understood = intent.understand(clause);
    if (understood !== undefined) return understood;
  }
  return undefined;
}

function* inOrder(steps: readonly Understood[], scene: Scene): Script {
  const told: string[] = [];
  for (const step of steps) {
    told.push(yield* step.script(scene));
    if (scene.past.at(-1)?.isError === true) break;
  }
  return told.join("\n\n");
}

/** Longer texts, or such wide gaps, are no sentences, and the patterns would take long over them. */
function isSentence(text: string): boolean {
  return text.length <= 10_000 && !/\s{41}/.test(text);
}

/** A sentence is parted into steps only where every step is clear by itself; else it is one wish. */
export function understand(text: string): (scene: Scene) => Script {
  const spelledOut = steering.understand(text);
  if (spelledOut !== undefined) return spelledOut.script;
  if (!isSentence(text)) return () => say(`${whatItIs} That text is too long for my rules.`);
  const sentence = withoutCourtesy(text);
  const steps = clausesOf(sentence).map(understandClause);
  const clear = steps
    .filter((step) => step?.isComplete === true)
    .filter((step) => step !== undefined);
  if (steps.length > 1 && clear.length === steps.length) return (scene) => inOrder(clear, scene);
  const whole = understandClause(sentence);
  if (whole !== undefined) return whole.script;
  return (scene) =>
    say(`${whatItIs} I did not understand that.\n\n${abilities(scene.offered)}\n\n${howToGetMore}`);
}
