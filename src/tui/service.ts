import type { Attached, Connection } from "../client/connection.ts";

/** The running service, over one connection after the other. */
export type Service = {
  /** Rejects with `service.not_running` while there is none. */
  readonly call: Connection["call"];
  /** Heard over every later connection too. */
  readonly on: Connection["on"];
  /** Talks over the present connection, and over the next one for as long as connections are lost under it. */
  lasting<T>(talk: (connection: Attached, isAgain: boolean) => Promise<T>): Promise<T>;
  /** Called at once if it is attached, and each time that it is attached anew. */
  onAttached(call: () => void): void;
  close(): void;
};
