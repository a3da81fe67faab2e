import type { JsonObject } from "./json.ts";

/** Every error of statehive carries one of these codes; machines branch on the code, never on text.
 *  The value says what the code means and what a person can do (docs/errors.md is made from it). */
export const errorCodes = {
  "activity.aborted": "The work was stopped before it ended.",
  "activity.crash_loop":
    "The work was lost three times because the service died while it ran; it is not tried again.",
  "activity.failed": "The work failed with an error that has no code of its own.",
  "activity.missing":
    "No implementation is registered for this activity; the running code is older or newer than the data.",
  "activity.outcome_unknown":
    "The service died while the work ran, so whether it took effect is not known; a person decides.",
  "actor.ended": "The actor has ended and accepts nothing any more.",
  "actor.exists": "An actor with this address exists already.",
  "actor.not_found": "No actor has this address; `statehive actors tree` lists them.",
  "actor.quarantined":
    "The actor was set aside after a step failed; `statehive actors get` shows why.",
  "agent.disabled": "The agent takes no messages; `statehive agents enable` changes that.",
  "agent.exists": "An agent has this id, or files of one are there already.",
  "agent.not_found": "No agent has this id; `statehive agents list` shows them.",
  "approval.already_decided":
    "Somebody decided this approval before; the message says who, how and when. The first answer counts.",
  "approval.changed":
    "What was shown is not what is asked now: look again with `statehive approvals show`, then decide.",
  "approval.ended":
    "The question has ended without an answer: its deadline passed, or what it was about was cancelled.",
  "approval.not_approver":
    "Only the owner at this machine and the approvers of the connector may decide this approval.",
  "approval.not_found":
    "No approval has this id; `statehive approvals list` shows those that wait.",
  "approval.too_long":
    "The calls are too long together to be allowed at once; they are decided one by one.",
  "approval.wrong_answer":
    "The answer does not fit the question; `statehive approvals show` lists what does.",
  "audit.broken": "The audit chain does not verify: a row was changed, removed or added.",
  "budget.exceeded": "A model was not asked, because the call might not fit into a budget.",
  "channel.answer_lost":
    "It was sent, but no answer came: nobody knows whether it arrived, and it is not sent again by itself.",
  "channel.conflict":
    "Somebody else receives messages for the same bot; only one service may use a token.",
  "channel.moved":
    "The conversation goes on under another number, which has to be let in first; it is tried again for a day.",
  "channel.rate_limited": "The channel takes no more for the moment; it is sent again later.",
  "channel.refused": "The channel refuses this message or file for good; the message says why.",
  "channel.unauthorized":
    "The channel refuses the token; `statehive connectors test` tries it, after it was set right.",
  "channel.unreachable": "The channel's server could not be reached; it is tried again.",
  "config.changed":
    "A configuration file was changed by somebody else in between; nothing was written.",
  "config.invalid": "The configuration has faults; `statehive config validate` lists them all.",
  "connector.not_found": "No connector has this id; `statehive connectors list` shows them.",
  "delivery.not_found": "No delivery has this id; `statehive deliveries list` shows them.",
  "delivery.not_resendable":
    "Only what is dead, or of which nobody knows whether it arrived, is sent again.",
  "embedder.bad_response":
    "What the embedder answered are no vectors of the kind that was asked for.",
  "embedder.refused":
    "The embedder refuses the key, the model or a text for good; the message says why.",
  "embedder.unavailable": "The embedder does not answer now; words alone decide meanwhile.",
  "engine.closed": "The engine is closed or closing.",
  "engine.in_use": "Another statehive process owns this home.",
  "event.invalid": "The event's payload does not have the shape that its type asks for.",
  "event.not_accepted": "The actor does not accept this event in its present state.",
  "event.not_pokeable": "A person may not send this event by hand; decisions go through approvals.",
  "event.unknown": "No event has this name.",
  "event.wrong_origin": "This event may not come from there.",
  "file.binary": "The file is not text.",
  "file.not_found": "There is no such file or directory.",
  "file.outside": "The path leads outside the directories that the agent may use.",
  "file.refused": "The file cannot be opened: it is a link, a device, a pipe or not readable.",
  "mark.not_found":
    "No mark of strangers' text stands there; `statehive marks list` shows them all.",
  "file.too_large": "The file is larger than the limit.",
  "grant.not_found":
    "No grant has this id, or it has ended; `statehive grants list` shows those that live.",
  "history.unpaired": "A tool call in the history has no result, or a result has no call.",
  "home.invalid": "The home directory cannot be used.",
  "index.closed": "The index of memory is closed or closing.",
  "index.unavailable":
    "The index of memory cannot be used now; `statehive memory reindex` makes it again from the files.",
  "internal": "A fault inside statehive.",
  "json.invalid": "The text is not JSON that statehive accepts.",
  "machine.not_found": "No machine has this name; `statehive machines list` lists them.",
  "mailbox.full": "The actor has too many unread events; try again later.",
  "memory.changed": "The file was changed by somebody else in between; nothing was written.",
  "memory.not_found":
    "No memory is there; `statehive memory show` lists the files, `statehive memory log` the changes.",
  "memory.refused": "The text is not taken into memory; the message says why.",
  "memory.unavailable": "The files of memory cannot be read or written now.",
  "model.auth": "The provider refused the API key.",
  "model.bad_response": "The provider's answer could not be understood.",
  "model.context_too_long": "The conversation is longer than the model's context.",
  "model.invalid_request": "The provider refused the request.",
  "model.not_found": "No configured provider offers this model.",
  "model.overloaded": "The provider is overloaded or failed inside; try again later.",
  "model.rate_limited": "The provider's rate limit is reached.",
  "model.refused": "The model declined to answer.",
  "model.rules_only":
    "The offline model follows rules: it sums up nothing. A provider with a language model does; `statehive providers list` shows them.",
  "model.timeout": "The provider did not answer in time.",
  "model.unreachable": "The provider could not be reached.",
  "pairing.not_found":
    "No pairing request has this code, or it has ended; `statehive pair list` shows those that are open.",
  "permission.denied": "The policy or a person does not allow this.",
  "permission.expired": "Nobody decided in time.",
  "port.unavailable": "The port is in use, or may not be used; another one, or none, can be named.",
  "run.cancelled": "The run was cancelled.",
  "run.deadline": "The run took longer than its limit.",
  "run.identical_calls": "The model made the same tool call too many times in a row.",
  "run.max_tool_rounds": "The run used up its tool rounds.",
  "schedule.configured":
    "The schedule stands in config/schedules.yaml, and goes when it is taken out there.",
  "schedule.not_found": "No schedule has this id; `statehive schedule list` shows them.",
  "session.context_full":
    "The conversation is as long as `sessions.max_context_tokens` or the model allows, and `sessions.context_strategy` is `error`; `/new` or `statehive sessions reset` begins another.",
  "session.not_found": "No session has this id or key.",
  "session.queue_full": "Too many messages wait in this session; try again when it has caught up.",
  "service.not_answering": "The service is there but does not answer.",
  "service.not_running": "No service runs for this home; `statehive start` starts one.",
  "service.other_version":
    "The service that runs is of another version than this command; `statehive restart` ends the difference.",
  "service.running": "A service runs for this home, and this needs it stopped.",
  "service.start_failed": "The service did not start.",
  "service.stopping":
    "The service is stopping and takes no new messages; send it again when it runs.",
  "step.not_found":
    "The run has no such step, or its journal is not kept any more; `statehive runs replay` shows its steps.",
  "store.corrupt": "The database file is damaged.",
  "store.newer": "The database file was written by a newer statehive.",
  "store.unavailable": "The database cannot be written now (disk full or an I/O error).",
  "tool.failed": "The tool failed.",
  "tool.invalid_input": "The tool's input does not fit its schema.",
  "tool.not_found": "The agent has no tool of this name.",
  "unit.foreign": "A systemd unit of this name was written by somebody else.",
  "usage": "The command line is wrong.",
  "web.blocked": "The address is not one of the public internet, or it redirects without end.",
  "web.unreachable": "The web server could not be reached, or did not answer in time.",
  "web.unreadable": "What the web server sent is no text.",
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An error as it is stored and sent: classes do not survive a snapshot. */
export type ErrorData = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retry_after_ms?: number;
  readonly hint?: string;
  readonly details?: JsonObject;
};

export type AgentErrorOptions = {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly hint?: string;
  readonly details?: JsonObject;
  readonly cause?: unknown;
};

/** The one error class. `message` says what happened with which value; `hint` says what to do. */
export class AgentError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly hint: string | undefined;
  readonly details: JsonObject | undefined;

  constructor(code: ErrorCode, message: string, options: AgentErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AgentError";
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.hint = options.hint;
    this.details = options.details;
  }

  /** The same error with more details. */
  withDetails(more: JsonObject): AgentError {
    const { code, message, retryable, retryAfterMs, hint, details, cause } = this;
    return new AgentError(code, message, {
      retryable,
      details: { ...details, ...more },
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(hint === undefined ? {} : { hint }),
      ...(cause === undefined ? {} : { cause }),
    });
  }

  toData(): ErrorData {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      ...(this.retryAfterMs === undefined ? {} : { retry_after_ms: this.retryAfterMs }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

/** The stored form of anything that was thrown; what is not an AgentError gets `fallback` as its code. */
export function toErrorData(thrown: unknown, fallback: ErrorCode = "internal"): ErrorData {
  if (thrown instanceof AgentError) return thrown.toData();
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: fallback, message, retryable: false };
}

/** A fault of the store is not the fault of what met it. */
export function isStoreFault(thrown: unknown): thrown is AgentError {
  return thrown instanceof AgentError && thrown.code.startsWith("store.");
}
