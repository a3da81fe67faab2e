import { z } from "zod";
import { refuseHostileKeys } from "../policy/json-input.ts";
import { visibleText } from "../policy/visible-text.ts";
import type { Conversations } from "../ports/conversations.ts";
import type { RedactedStream } from "../policy/stream-redaction.ts";
import type { Files } from "../ports/files.ts";
import type { CallMemory } from "../ports/memory.ts";
import type { Outbox } from "../ports/outbox.ts";
import type { Schedules } from "../ports/schedules.ts";
import type { Sandbox, SandboxView } from "../ports/sandbox.ts";
import type { Web } from "../ports/web.ts";
import { AgentError } from "../schema/errors.ts";
import type { JsonObject } from "../schema/json.ts";
import type {
  Capability,
  Recovery,
  RiskClass,
  ToolOutput,
  ToolQuestion,
  ToolSpec,
} from "../schema/tool.ts";
import { describeFaults } from "../schema/input-faults.ts";

/** What a tool may touch while it runs. */
export type ToolContext = {
  readonly files: Files;
  readonly sandbox: Sandbox;
  readonly web: Web;
  /** What the run's conversation may see of the agent's earlier ones. */
  readonly conversations: Conversations;
  /** What the agent remembers, as far as this call may use it. */
  readonly memory: CallMemory;
  readonly outbox: Outbox;
  readonly schedules: Schedules;
  /** The same for every attempt of this call, and of no other. */
  readonly callKey: string;
  /** Whether the agent's rules let it read this file, for a tool that comes upon many. */
  readonly mayRead: (path: string) => boolean;
  /** Fit for a file name, and of no other call of the service. */
  readonly callName: string;
  /** Whether what circumstances found is what the call was allowed for; for a tool that looks again before it acts. */
  readonly isAsAllowed: (bound: JsonObject) => boolean;
  /** For what a tool leaves in a file or cuts; what it answers is redacted all the same. */
  readonly redactStream: () => RedactedStream;
  readonly signal: AbortSignal;
};

export type Validation =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly message: string };

/** Where the text of a call's result comes from: what is read of the person's, what strangers wrote, and files or directories whose
 *  own origins come along. */
export type Brought = {
  readonly private?: readonly string[];
  readonly untrusted?: readonly string[];
  readonly reads?: readonly string[];
};

/** A file that a call writes; `.` stands for any file. `isWhole`: nothing of what it held before stays. */
export type Written = { readonly path: string; readonly isWhole: boolean };

export type Tool = ToolSpec & {
  /** The message names the tool and each faulty field; it is for the model, under the code `tool.invalid_input`. */
  validate(input: unknown): Validation;
  /** Asked before a person is, and once more when the call starts. */
  readonly circumstances?: (input: JsonObject, surroundings: Surroundings) => Circumstances;
  readonly brings: (input: JsonObject, surroundings: Surroundings) => Brought;
  readonly writes: (input: JsonObject) => readonly Written[];
  /** Text that goes out with the call, beyond whom it goes to. */
  readonly carries: (input: JsonObject) => string;
  /** Whether what it writes counts as the agent's own knowledge in later conversations. */
  readonly lasts: (input: JsonObject) => boolean;
  /** Wants a validated input. What a file or an argument refuses is an output with `is_error` that begins with the code;
   *  rejects with `activity.aborted` when `signal` fired, and with other errors as they come. */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutput>;
};

/** What is true of a call here and now, beyond its input. */
export type Circumstances =
  /** It cannot be run, so nobody is asked; the reason is for the model and begins with the code. */
  | { readonly ok: false; readonly reason: string }
  | (GrantTerms & {
      readonly ok: true;
      /** What an approval is bound to besides the input. */
      readonly bound: JsonObject;
      readonly summary: string;
      /** Why a person is asked each time, whatever the policy allows. */
      readonly mustAsk?: string;
      /** Whether what it runs reaches nothing but the workspace; not, unless told. */
      readonly isConfined?: boolean;
    });

/** How far a person's grant can reach beyond a call. */
export type GrantTerms = {
  /** What a stored grant must have been given for to cover this call (policy/pin.ts). */
  readonly pin?: string;
  /** The same in words, beside the proposed grants. */
  readonly terms?: string;
  /** What to say where a grant would cover it but for its files. */
  readonly changed?: string;
  /** Why nothing can be granted beyond this call: the end of a sentence. */
  readonly onlyThisCall?: string;
};

export type Surroundings = { readonly sandbox: SandboxView };

type Example<Input> = { readonly input: Input; readonly means: string };

type Description<Input> = {
  readonly what: string;
  readonly usage: string;
  readonly examples: readonly [Example<Input>, ...Example<Input>[]];
  readonly notFor: string;
};

type InputOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape, z.core.$strict>>;

export type ToolDefinition<Shape extends z.ZodRawShape, Input = InputOf<Shape>> = {
  readonly name: string;
  readonly description: Description<Input>;
  readonly input: Shape;
  readonly risk: RiskClass;
  readonly recovery: Recovery;
  readonly capabilities: (input: Input) => readonly Capability[];
  readonly summary: (input: Input) => string;
  readonly asks?: (input: Input) => ToolQuestion;
  readonly circumstances?: (input: Input, surroundings: Surroundings) => Circumstances;
  /** Nothing unless told. */
  readonly brings?: (input: Input, surroundings: Surroundings) => Brought;
  /** No file unless told; a long output that is kept in a file need not be. */
  readonly writes?: (input: Input) => readonly Written[];
  readonly carries?: (input: Input) => string;
  /** Not, unless told. */
  readonly lasts?: (input: Input) => boolean;
  /** Resolves with the text for the model. */
  readonly run: (input: Input, context: ToolContext) => Promise<string>;
};

function descriptionText<Input>(description: Description<Input>): string {
  const examples = description.examples.map(
    ({ input, means }) => `- ${JSON.stringify(input)}: ${means}`,
  );
  return [
    description.what,
    description.usage,
    `Examples:\n${examples.join("\n")}`,
    description.notFor,
  ].join("\n\n");
}

function parametersOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema) as JsonObject;
  return parameters;
}

function hostility(input: unknown): string | undefined {
  try {
    refuseHostileKeys(input);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AgentError) return thrown.message;
    throw thrown;
  }
}

/** A refusal that the model can act upon, as the tool's output. */
function refusalOf(thrown: unknown): ToolOutput | undefined {
  if (!(thrown instanceof AgentError)) return undefined;
  if (!/^(?:file|memory|tool|web)\./.test(thrown.code)) return undefined;
  const hint = thrown.hint === undefined ? "" : ` ${thrown.hint}`;
  return { output: `${thrown.code}: ${thrown.message}${hint}`, is_error: true };
}

/** Makes a tool of its zod shape: the JSON Schema, the validation and the types of its functions all come from it. */
export function defineTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): Tool {
  const { name, risk, recovery, asks, circumstances } = definition;
  const schema = z.strictObject(definition.input);
  const parse = (input: unknown) => schema.safeParse(input, { jitless: true });

  function validate(input: unknown): Validation {
    const hostile = hostility(input);
    if (hostile !== undefined) return { ok: false, message: `${name}: ${hostile}` };
    const parsed = parse(input);
    if (parsed.success) return { ok: true, input: parsed.data as JsonObject };
    const known = Object.keys(definition.input);
    const wanted = { whole: "the input", known, quote: visibleText };
    return { ok: false, message: `${name}: ${describeFaults(parsed.error.issues, wanted)}` };
  }

  function typed(input: JsonObject): InputOf<Shape> {
    const parsed = parse(input);
    if (parsed.success) return parsed.data;
    throw new AgentError("tool.invalid_input", `The input of ${name} was not validated.`);
  }

  return {
    name,
    risk,
    recovery,
    description: descriptionText(definition.description),
    parameters: parametersOf(schema),
    capabilities: (input) => definition.capabilities(typed(input)),
    summary: (input) => definition.summary(typed(input)),
    ...(asks === undefined ? {} : { asks: (input: JsonObject) => asks(typed(input)) }),
    ...(circumstances === undefined
      ? {}
      : { circumstances: (input: JsonObject, around) => circumstances(typed(input), around) }),
    brings: (input, around) => definition.brings?.(typed(input), around) ?? {},
    writes: (input) => definition.writes?.(typed(input)) ?? [],
    carries: (input) => definition.carries?.(typed(input)) ?? "",
    lasts: (input) => definition.lasts?.(typed(input)) ?? false,
    validate,
    async run(input, context) {
      try {
        return { output: await definition.run(typed(input), context), is_error: false };
      } catch (thrown) {
        const refusal = refusalOf(thrown);
        if (refusal === undefined) throw thrown;
        return refusal;
      }
    },
  };
}
