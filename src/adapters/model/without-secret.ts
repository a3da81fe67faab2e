import { AgentError } from "../../schema/errors.ts";

/** The same error without the key, should the server have echoed it. */
export function withoutSecret(error: AgentError, secret: string): AgentError {
  if (secret === "" || !error.message.includes(secret)) return error;
  const { code, retryable, retryAfterMs, hint, details } = error;
  return new AgentError(code, error.message.replaceAll(secret, "[api key]"), {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}
