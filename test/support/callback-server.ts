import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { MessagePost } from "../../src/adapters/channel/webhook/outbound-post.ts";

/** Somebody's program that a webhook connector posts to: keeps what it is posted, and answers as a test wants. */

export type Said = {
  readonly event: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
};

/** `hang`: never answers. `drop`: takes it, and the answer is lost. */
export type CallbackAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | "hang"
  | "drop";

export type CallbackServer = {
  readonly url: string;
  readonly said: readonly Said[];
  /** Those that people are to read, each delivery once, however often it was posted. */
  messages(): readonly MessagePost[];
  /** What the next posts are answered with. */
  answerNext(...answers: readonly CallbackAnswer[]): void;
  /** Resolves when a message fits, also one that is there already. */
  message(fits: (post: MessagePost) => boolean): Promise<MessagePost>;
};

/** @param judge answers what no answer was set for; 204 unless told */
export async function callbackServer(
  judge: (said: Said) => CallbackAnswer = () => ({ status: 204 }),
): Promise<CallbackServer> {
  const said: Said[] = [];
  const answers: CallbackAnswer[] = [];
  let wake = () => {};
  let arrival = nextArrival();
  function nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
    });
  }
  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const heard = { event: String(body["event"]), headers: request.headers, body };
    said.push(heard);
    const answer = answers.shift() ?? judge(heard);
    if (answer === "drop") request.socket.destroy();
    else if (answer !== "hang") response.writeHead(answer.status, answer.headers).end();
    wake();
    arrival = nextArrival();
  }
  const server = createServer((request, response) => void hear(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const messages = () => [
    ...new Map(
      said
        .filter(({ event }) => event === "message" || event === "edit")
        .map(({ body }) => [String(body["delivery"]), body as unknown as MessagePost]),
    ).values(),
  ];
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    said,
    messages,
    answerNext: (...next) => void answers.push(...next),
    async message(fits) {
      for (;;) {
        const found = messages().find(fits);
        if (found !== undefined) return found;
        await arrival;
      }
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += String(piece);
  return JSON.parse(text) as Record<string, unknown>;
}
