import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { Api } from "../../src/app/api/caller.ts";
import { createLineReader } from "../../src/schema/socket/line-reader.ts";
import { converse } from "../../src/server/conversation.ts";

export type ServedApi = {
  readonly path: string;
  /** The service's ends, in the order in which clients came. */
  readonly sockets: readonly Socket[];
};

/** Some methods over a real socket, until the test ends. */
export async function serveApi(methods: Partial<Api>): Promise<ServedApi> {
  const folder = mkdtempSync(join(tmpdir(), "statehive-served-"));
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const conversation = converse({ api: methods as Api, socket, log: () => {} });
    socket.on("data", createLineReader({ maxLineBytes: 1e6, ...conversation }));
    socket.on("error", () => socket.destroy());
    socket.once("close", () => conversation.ended());
  });
  const path = join(folder, "s.sock");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { path, sockets };
}

export type Told = {
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: { readonly [key: string]: unknown };
};

/** Subscribes, hears the answer, and reads on only while it is not paused. */
export async function subscriber(path: string, method: string, params: object) {
  const socket = connect(path);
  await once(socket, "connect");
  const told: Told[] = [];
  const onLine = (line: string) => void told.push(JSON.parse(line) as Told);
  socket.on("data", createLineReader({ maxLineBytes: 1e8, onLine, onOverflow: () => {} }));
  socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
  await vi.waitFor(() => expect(told).toHaveLength(1));
  return { socket, told };
}
