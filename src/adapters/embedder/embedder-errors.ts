import { AgentError, type AgentErrorOptions } from "../../schema/errors.ts";

export function aborted(): AgentError {
  return new AgentError("activity.aborted", "Making vectors was stopped.");
}

/** Worth another try. */
export function unavailable(message: string, options: AgentErrorOptions = {}): AgentError {
  return new AgentError("embedder.unavailable", message, { retryable: true, ...options });
}

export function refused(message: string, options: AgentErrorOptions = {}): AgentError {
  return new AgentError("embedder.refused", message, options);
}

export function badResponse(message: string, options: AgentErrorOptions = {}): AgentError {
  return new AgentError("embedder.bad_response", message, options);
}
