import { Agent, request } from "undici";
import { AgentError } from "../../../schema/errors.ts";
import { endingWithin } from "../../web/ending-within.ts";
import { answerFault, type CallbackAnswer, connectionFault } from "./callback-faults.ts";

export type CallbackOptions = {
  readonly url: string;
  /** Undefined: it is called without one. */
  readonly secret: string | undefined;
  readonly timeoutMs: number;
};

export type Post = {
  readonly said: object;
  /** Absent: it is said once, and never again. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** Absent: as long as every post may take. */
  readonly withinMs?: number;
};

const never = new AbortController().signal;

/** Where messages for people are posted to. No redirect is followed: it would lead the token elsewhere. */
export class Callback {
  private readonly options: CallbackOptions;
  private readonly agent: Agent;

  constructor(options: CallbackOptions) {
    const { timeoutMs } = options;
    this.options = options;
    this.agent = new Agent({
      connections: 8,
      maxHeaderSize: 16 * 1024,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  /** The answer's body has no meaning. @throws AgentError channel.* as the port says, activity.aborted */
  async post(post: Post): Promise<void> {
    const answer = await this.ask(post);
    if (answer.status < 200 || answer.status > 299) throw answerFault(answer);
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async ask({ said, key, signal = never, withinMs }: Post): Promise<CallbackAnswer> {
    const { url, secret, timeoutMs } = this.options;
    const ending = endingWithin(signal, withinMs ?? timeoutMs);
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: this.agent,
        method: "POST",
        signal: ending.signal,
        headers: {
          "content-type": "application/json",
          "user-agent": "statehive",
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
        },
        body: JSON.stringify(said),
      });
      await body.dump({ limit: 64 * 1024, signal: ending.signal }).catch(() => undefined);
      const retryAfter = headers["retry-after"];
      return { status: statusCode, retryAfter: typeof retryAfter === "string" ? retryAfter : "" };
    } catch (thrown) {
      if (signal.aborted) throw new AgentError("activity.aborted", "The call was stopped.");
      throw connectionFault(thrown);
    } finally {
      ending.release();
    }
  }
}
