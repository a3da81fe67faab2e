import { once } from "node:events";
import { connect as connectRaw, type Socket } from "node:net";
import { connect, type Connection } from "../../src/client/connection.ts";
import { answerParent } from "./child.ts";

/** Clients that watch a service, in a process of their own so that their CPU is not counted as its. */

export type WatchersOrder =
  | { readonly do: "open"; readonly reading: number; readonly stuck: number }
  /** Tells what was heard since. */
  | { readonly do: "close" };

export type Heard = { readonly deltas: number };

const [socketPath = ""] = process.argv.slice(2);
let open: (() => void)[] = [];
let heard: Heard = { deltas: 0 };

async function watch(): Promise<Connection> {
  const connection = await connect({ socketPath, client: "tui" });
  connection.on("actors.delta", () => {
    heard = { deltas: heard.deltas + 1 };
  });
  await connection.call("actors.subscribe", { recent: 500 });
  return connection;
}

/** Subscribes and never reads a byte. */
async function watchWithoutReading(): Promise<Socket> {
  const socket = connectRaw(socketPath);
  await once(socket, "connect");
  socket.pause();
  const request = { jsonrpc: "2.0", id: 1, method: "actors.subscribe", params: { recent: 500 } };
  socket.write(`${JSON.stringify(request)}\n`);
  return socket;
}

answerParent(async (message) => {
  const order = message as WatchersOrder;
  if (order.do === "close") {
    for (const close of open) close();
    open = [];
    return heard;
  }
  heard = { deltas: 0 };
  for (let at = 0; at < order.reading; at += 1) open.push((await watch()).close);
  for (let at = 0; at < order.stuck; at += 1) {
    const socket = await watchWithoutReading();
    open.push(() => socket.destroy());
  }
  return {};
});
