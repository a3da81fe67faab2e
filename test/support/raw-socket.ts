import { once } from "node:events";
import { connect } from "node:net";

/** A client of the socket that sends whatever bytes a test wants. */
export type RawSocket = {
  /** Sends it and resolves with the next line that comes back; undefined when the other side hung up. */
  ask(bytes: string | Uint8Array): Promise<Record<string, unknown> | undefined>;
  close(): void;
};

export async function connectRaw(path: string): Promise<RawSocket> {
  const socket = connect(path);
  await once(socket, "connect");
  let heard = "";
  let isOpen = true;
  let wake = () => {};
  socket.setEncoding("utf8").on("data", (piece: string) => {
    heard += piece;
    wake();
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    isOpen = false;
    wake();
  });
  return {
    async ask(bytes) {
      socket.write(bytes);
      for (;;) {
        const end = heard.indexOf("\n");
        if (end >= 0) {
          const line = heard.slice(0, end);
          heard = heard.slice(end + 1);
          return JSON.parse(line) as Record<string, unknown>;
        }
        if (!isOpen) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close: () => socket.destroy(),
  };
}
