import type { StreamMessage } from "../stream-message.ts";

export type StreamOptions = {
  readonly fetch: typeof globalThis.fetch;
  readonly token: string;
  hear(message: StreamMessage): void;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
};

const retries = 3;
const retryMs = 2_000;

/** Hears what the inspector has to say until it has ended. @returns why nothing more comes */
export async function readStream(options: StreamOptions): Promise<string> {
  for (let failed = 0; failed < retries; failed += 1) {
    const response = await open(options);
    if (response !== undefined && !response.ok) return refusal(response.status);
    if (response?.body) {
      failed = 0;
      await readLines(response.body, (line) => options.hear(JSON.parse(line) as StreamMessage));
    }
    options.hear({ type: "detached", reason: "The inspector does not answer." });
    await options.wait(retryMs);
  }
  return "`statehive inspect` has ended. Run it again, and open the address that it prints.";
}

async function open({ fetch, token }: StreamOptions): Promise<Response | undefined> {
  try {
    return await fetch("/stream", {
      headers: { authorization: `Bearer ${token}` },
      cache: "no-store",
    });
  } catch {
    return undefined;
  }
}

function refusal(status: number): string {
  if (status === 503) return "Too many pages watch already: close one, and load this one again.";
  return "This address is not valid any more. Open the one that `statehive inspect` prints.";
}

/** Until the stream ends or breaks. */
async function readLines(
  body: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let rest = "";
  for (;;) {
    const piece = await reader.read().catch(() => undefined);
    if (piece?.value === undefined) return;
    const lines = (rest + decoder.decode(piece.value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  }
}
