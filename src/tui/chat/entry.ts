import type { JsonObject } from "../../schema/json.ts";
import type { ShownApproval } from "../../schema/socket/protocol.ts";

/** What stands in a transcript. `version` rises with each change, so that whoever drew it knows. */

export type Said = {
  readonly kind: "said";
  readonly text: string;
  /** What becomes of it: `waits its turn`. */
  note: string;
  version: number;
};

export type Answer = {
  readonly kind: "answer";
  readonly agent: string;
  text: string;
  /** Rises when the text is not what it was with more behind it. */
  begun: number;
  version: number;
};

export type Call = {
  readonly kind: "call";
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** Null while it works. */
  status: string | null;
  output: string;
  isError: boolean;
  version: number;
};

export type Question = {
  readonly kind: "question";
  readonly approval: ShownApproval;
  /** `approved, by cli`; null while it waits. */
  decided: string | null;
  version: number;
};

export type Note = {
  readonly kind: "note";
  readonly text: string;
  readonly mood: "plain" | "bad";
  readonly version: number;
};

/** `run`: the one that it belongs to, once that is known. */
export type Entry = (Said | Answer | Call | Question | Note) & { run?: string };

export const said = (text: string, note = ""): Said => ({ kind: "said", text, note, version: 0 });

export const answer = (agent: string, text: string): Answer => ({
  kind: "answer",
  agent,
  text,
  begun: 0,
  version: 0,
});

export const call = (started: Pick<Call, "id" | "tool" | "input">): Call => ({
  kind: "call",
  ...started,
  status: null,
  output: "",
  isError: false,
  version: 0,
});

export const question = (approval: ShownApproval): Question => ({
  kind: "question",
  approval,
  decided: null,
  version: 0,
});

export const note = (text: string, mood: Note["mood"] = "plain"): Note => ({
  kind: "note",
  text,
  mood,
  version: 0,
});
