import { AgentError } from "../../schema/errors.ts";

/** Server-sent events of a model's answer. Only their data is of use: it names its own type. */

type EventStreamOptions = {
  /** Called with each event's data; true ends the reading at the next end or failure of the stream. */
  readonly onData: (data: string) => boolean;
  readonly onBytes: () => void;
};

/** Far more than the longest answer that a model gives, and what the database can take without being blown up. */
export const maxAnswerBytes = 4 * 1024 * 1024;

export function answerCut(cause: string): AgentError {
  return new AgentError(
    "model.bad_response",
    `The provider's answer broke off before its end: ${cause}.`,
    {
      retryable: true,
    },
  );
}

export function answerTooLarge(): AgentError {
  return new AgentError(
    "model.bad_response",
    `The provider's answer is larger than ${maxAnswerBytes} bytes.`,
  );
}

function createLineReader(onData: (data: string) => boolean) {
  let pending = "";
  let data: string | undefined;
  let isComplete = false;
  const dispatch = () => {
    if (data === undefined) return;
    const whole = data;
    data = undefined;
    isComplete = onData(whole) || isComplete;
  };
  const takeLine = (start: number, end: number) => {
    if (end === start || (end === start + 1 && pending.charCodeAt(start) === 13)) dispatch();
    else if (pending.startsWith("data:", start)) {
      const value = pending.slice(start + 5, end);
      data = data === undefined ? value : `${data}\n${value}`;
    }
  };
  return {
    take(text: string): void {
      pending += text;
      let start = 0;
      for (let end = pending.indexOf("\n"); end >= 0; end = pending.indexOf("\n", start)) {
        takeLine(start, end);
        start = end + 1;
      }
      pending = pending.slice(start);
    },
    end(): void {
      takeLine(0, pending.length);
      dispatch();
    },
    isComplete: () => isComplete,
  };
}

/** Reads to the end of the stream. Rejects with `model.bad_response`, retryable, when it breaks off before `onData` said true. */
export async function readEventStream(
  body: AsyncIterable<Uint8Array>,
  options: EventStreamOptions,
): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  const lines = createLineReader(options.onData);
  let size = 0;
  for (;;) {
    const chunk = await chunks.next().catch((error: unknown) => {
      if (lines.isComplete()) return { done: true as const, value: undefined };
      throw answerCut(error instanceof Error ? error.message : "the connection failed");
    });
    if (chunk.done === true) break;
    options.onBytes();
    size += chunk.value.byteLength;
    if (size > maxAnswerBytes) throw answerTooLarge();
    lines.take(decoder.decode(chunk.value, { stream: true }));
  }
  if (lines.isComplete()) return;
  endOf(lines);
  if (!lines.isComplete()) throw answerCut("the stream ended");
}

function endOf(lines: ReturnType<typeof createLineReader>): void {
  try {
    lines.end();
  } catch (error) {
    if (error instanceof AgentError && error.code !== "model.bad_response") throw error;
    throw answerCut("the stream ended inside an event");
  }
}
