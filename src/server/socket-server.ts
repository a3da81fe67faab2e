import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { AgentError } from "../schema/errors.ts";
import type { Service } from "../app/service.ts";
import { createLineReader } from "../schema/socket/line-reader.ts";
import { converse } from "./conversation.ts";
import { maxLineBytes } from "./limits.ts";

export type SocketServer = { close(): Promise<void> };

/** Listens on the home's socket, which only its owner can reach. The owner lock is held, so a socket file that is there is a dead one's. */
export async function listen(
  service: Service,
  shutdown: (graceMs: number) => void,
): Promise<SocketServer> {
  const { socket: path } = service.paths;
  const api = service.api(shutdown);
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    const conversation = converse({ api, socket, log: service.log });
    socket.on("data", createLineReader({ maxLineBytes, ...conversation }));
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      connections.delete(socket);
      conversation.ended();
    });
  });
  makePrivateDirectory(dirname(path));
  await openAt(server, path).catch((cause: unknown) => {
    throw notOpened(path, cause);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.end();
        setImmediate(() => connections.forEach((socket) => socket.destroySoon()));
      }),
  };
}

async function openAt(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    const umask = process.umask(0o077);
    server.once("error", reject);
    server.listen(path, resolve);
    process.umask(umask);
  });
  chmodSync(path, 0o600);
}

function notOpened(path: string, cause: unknown): AgentError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AgentError("home.invalid", `The socket ${path} cannot be made: ${why}.`, {
    hint: "see what stands there, and remove it",
    cause,
  });
}

/** In a directory that others can write to, somebody could put a socket of theirs in our place. */
function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  const isOurs = process.getuid === undefined || stat.uid === process.getuid();
  if (stat.isDirectory() && isOurs && (stat.mode & 0o077) === 0) return;
  throw new AgentError("home.invalid", `${path} is not a directory of yours alone.`, {
    hint: `make it yours with mode 0700, or set XDG_RUNTIME_DIR to a directory that is`,
  });
}
