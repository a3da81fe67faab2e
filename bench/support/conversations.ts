import { z } from "zod";

/** Long conversations with questions about them, in the shape of the data set LoCoMo: turns with ids, and for each question the
 *  ids of the turns that answer it. */

export type Turn = { readonly id: string; readonly text: string };

export type Session = { readonly date: string; readonly turns: readonly Turn[] };

export type Question = {
  readonly text: string;
  /** Ids of turns that are there. */
  readonly evidence: readonly string[];
  readonly category: Category;
};

export type Conversation = {
  readonly id: string;
  readonly sessions: readonly Session[];
  readonly questions: readonly Question[];
};

export type ReadConversations = {
  readonly conversations: readonly Conversation[];
  /** Evidence that names no turn of its conversation. */
  readonly dropped: readonly string[];
};

export const categories = [
  "single-hop",
  "multi-hop",
  "temporal",
  "open-domain",
  "adversarial",
] as const;
export type Category = (typeof categories)[number];

const byNumber: readonly Category[] = [
  "multi-hop",
  "temporal",
  "open-domain",
  "single-hop",
  "adversarial",
];

const turn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().nullish(),
});

const sample = z.object({
  sample_id: z.union([z.string(), z.number()]).optional(),
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(
    z.object({
      question: z.union([z.string(), z.number()]).transform(String),
      evidence: z.array(z.string()).default([]),
      category: z.int().min(1).max(5),
    }),
  ),
});

/** @throws Error with the place of what is wrong */
export function readConversations(json: string): ReadConversations {
  const samples = parsed(z.array(sample).min(1), parseJson(json), "the file");
  const read = samples.map((one, at) => readSample(one, at));
  return {
    conversations: read.map(({ conversation }) => conversation),
    dropped: read.flatMap(({ dropped }) => dropped),
  };
}

function readSample(one: z.output<typeof sample>, at: number) {
  const id = String(one.sample_id ?? at + 1);
  const sessions = readSessions(one.conversation, `[${at}].conversation`);
  const known = new Set(sessions.flatMap(({ turns }) => turns.map((each) => each.id)));
  if (known.size === 0) throw new Error(`[${at}].conversation: no turn in session_1, session_2 …`);
  const dropped: string[] = [];
  const questions = one.qa.map(({ question, evidence, category }): Question => {
    const named = evidence.flatMap(turnIdsIn);
    dropped.push(...named.filter((turnId) => !known.has(turnId)));
    return {
      text: question,
      evidence: [...new Set(named.filter((turnId) => known.has(turnId)))],
      category: byNumber[category - 1] ?? "adversarial",
    };
  });
  return { conversation: { id, sessions, questions }, dropped };
}

function readSessions(conversation: Record<string, unknown>, place: string): Session[] {
  return Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => one - other)
    .map((number) => {
      const key = `session_${number}`;
      const turns = parsed(z.array(turn), conversation[key], `${place}.${key}`);
      const date = conversation[`${key}_date_time`];
      return { date: typeof date === "string" ? date : "", turns: turns.map(readTurn) };
    });
}

/** In the words of the paper. */
function readTurn({ speaker, dia_id, text, blip_caption }: z.output<typeof turn>): Turn {
  const shared = blip_caption ? ` and shared ${blip_caption}` : "";
  return { id: turnIdsIn(dia_id)[0] ?? dia_id, text: `${speaker} said, "${text}"${shared}` };
}

/** The data has also `D8:6; D9:17`, `D:11:26` and `D30:05`; what is none of these names no turn. */
function turnIdsIn(text: string): string[] {
  const ids = [...text.matchAll(/D:?(\d+):(\d+)/g)];
  if (ids.length === 0) return text.trim() === "" ? [] : [text];
  return ids.map(([, session, number]) => `D${Number(session)}:${Number(number)}`);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`the file is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown, name: string) {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.map(String).join(".") ?? "";
  throw new Error(
    `${place === "" ? name : `${name}: ${place}`}: ${issue?.message ?? "wrong shape"}`,
  );
}
