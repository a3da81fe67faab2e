import type { JsonObject } from "./json.ts";
import type { ToolDef } from "./llm.ts";

/** safe: runs; guarded: runs under a grant, else asks; unsafe: asks each time. */
export type RiskClass = "safe" | "guarded" | "unsafe";

/** What an invocation needs, as text: `fs.write:notes/todo.md`. */
export type Capability = string;

/** What a crash in the middle of an invocation means: `repeat`: run it again; `once`: a person decides. */
export type Recovery = "repeat" | "keyed" | "once";

export type ToolOutput = { readonly output: string; readonly is_error: boolean };

/** What a person is asked by a tool that is answered instead of executed. */
export type ToolQuestion = { readonly question: string; readonly options?: readonly string[] };

/** A tool as the policy sees it; its executor is in src/tools. Its functions are pure and want a validated input. */
export type ToolSpec = ToolDef & {
  readonly risk: RiskClass;
  readonly recovery: Recovery;
  /** The capabilities that this very input needs, at least one unless the tool touches nothing. */
  readonly capabilities: (input: JsonObject) => readonly Capability[];
  /** One line for people: what this very call does. */
  readonly summary: (input: JsonObject) => string;
  /** Where it stands, no executor runs: the run puts this question to its person, whose answer is the tool's result. */
  readonly asks?: (input: JsonObject) => ToolQuestion;
};
