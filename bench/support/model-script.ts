import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerParent } from "./child.ts";

/** A model of no latency in a process of its own: as many tool rounds as the last message asks for, then 800 characters of text. */

export type ModelAddress = { readonly url: string };

type Block = { readonly type: string; readonly text?: string };
type Wire = {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string | Block[] }[];
};
type Usage = { readonly input_tokens: number; readonly output_tokens: number };

const words = Array.from({ length: 200 }, (_, at) =>
  `w${String(at).padStart(2, "0")} `.slice(0, 4),
);
const usage: Usage = { input_tokens: 100, output_tokens: 50 };
const sse = (event: { readonly type: string }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function message(content: readonly object[], stop_reason: string | null) {
  const fixed = { id: "msg_1", type: "message", role: "assistant", model: "bench" };
  return { ...fixed, content, stop_reason, stop_sequence: null, usage };
}

function streamed(opening: object, deltas: readonly object[], stop_reason: string): string[] {
  return [
    sse({ type: "message_start", message: message([], null) } as never),
    sse({ type: "content_block_start", index: 0, content_block: opening } as never),
    ...deltas.map((delta) => sse({ type: "content_block_delta", index: 0, delta } as never)),
    sse({ type: "content_block_stop", index: 0 } as never),
    sse({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage } as never),
    sse({ type: "message_stop" }),
  ];
}

const text = {
  whole: JSON.stringify(message([{ type: "text", text: words.join("") }], "end_turn")),
  events: streamed(
    { type: "text", text: "" },
    words.map((word) => ({ type: "text_delta", text: word })),
    "end_turn",
  ),
};

function toolUse(round: number, name: string) {
  const input = { city: `city ${round}` };
  const call = { type: "tool_use", id: `toolu_${round}`, name };
  return {
    whole: JSON.stringify(message([{ ...call, input }], "tool_use")),
    events: streamed(
      { ...call, input: {} },
      [{ type: "input_json_delta", partial_json: JSON.stringify(input) }],
      "tool_use",
    ),
  };
}

function answerTo({ messages }: Wire) {
  let round = 0;
  for (const { role, content } of messages.toReversed()) {
    if (role !== "user") continue;
    const said = typeof content === "string" ? content : (content[0]?.text ?? "");
    const asked = /rounds=(\d+) (\w+)/.exec(said);
    if (asked !== null) return round < Number(asked[1]) ? toolUse(round, asked[2] ?? "") : text;
    round += 1;
  }
  return text;
}

const headers = (type: string) => ({ "content-type": type, "request-id": "req_1" });

function reply(response: ServerResponse, wire: Wire): void {
  const { whole, events } = answerTo(wire);
  if (wire.stream !== true) {
    response.writeHead(200, headers("application/json")).end(whole);
    return;
  }
  response.writeHead(200, headers("text/event-stream; charset=utf-8"));
  for (const event of events) response.write(event);
  response.end();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => reply(response, JSON.parse(Buffer.concat(chunks).toString()) as Wire));
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  answerParent(async () => ({ url: `http://127.0.0.1:${port}` }) satisfies ModelAddress);
});
