import type { Log } from "../../ports/log.ts";
import { AgentError } from "../../schema/errors.ts";

/** What an earlier process left keeps no service from starting: where it cannot be looked at, it stays. */
export async function tidied(log: Log, tidy: () => Promise<void>): Promise<void> {
  try {
    await tidy();
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    const { code, message } = thrown;
    log("warn", "what earlier changes of memory left could not be tidied", { code, message });
  }
}
