import { toErrorData } from "../schema/errors.ts";
import type { Notifications, Results } from "../schema/socket/protocol.ts";
import type { Connection } from "./connection.ts";

export type ServiceLinkOptions = {
  readonly connection: Connection;
  /** Opens the next one. */
  readonly open: () => Promise<Connection>;
  readonly onLost: () => void;
  /** The next one is there. What was followed over the one before must be asked for anew. */
  readonly onBack: () => void;
  /** The service that came back cannot be talked to: the link stays down. */
  readonly onFault: (error: unknown) => void;
};

const firstPauseMs = 100;
const longestPauseMs = 2_000;
const passing = new Set(["service.not_running", "service.not_answering"]);

/** After the link is closed, what was under way neither succeeds nor fails. */
function nobodyWaits(): Promise<never> {
  return new Promise(() => {});
}

type Listening = (connection: Connection) => () => void;

/** The connection to a service that may be restarted: when it is lost, the next one is waited for. */
export class ServiceLink {
  private readonly options: ServiceLinkOptions;
  /** Each with what takes it off the present connection. */
  private readonly listening = new Map<Listening, () => void>();
  private connection: Connection;
  private next: Promise<Connection> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: ServiceLinkOptions) {
    this.options = options;
    this.connection = options.connection;
    void this.watch();
  }

  get isUp(): boolean {
    return this.next === undefined;
  }

  /** Who answers; while the link is down: who did. */
  get service(): Results["hello"] {
    return this.connection.service;
  }

  /** One request, now or not at all. @throws AgentError service.not_running while the service is away */
  get call(): Connection["call"] {
    return this.connection.call;
  }

  /** Hears the notifications of this connection and of those that follow it. */
  on<N extends keyof Notifications>(
    method: N,
    listener: (params: Notifications[N]) => void,
  ): () => void {
    const listen: Listening = (connection) => connection.on(method, listener);
    this.listening.set(listen, listen(this.connection));
    return () => {
      this.listening.get(listen)?.();
      this.listening.delete(listen);
    };
  }

  /** Talks over the present connection, and over the next one for as long as connections are lost under it.
   *  @param talk told whether it was begun before; what it asks for twice must mean the same as once */
  async lasting<T>(talk: (connection: Connection, isAgain: boolean) => Promise<T>): Promise<T> {
    for (let isAgain = false; ; isAgain = true) {
      const connection = await (this.next ?? this.connection);
      try {
        return await talk(connection, isAgain);
      } catch (error) {
        if (toErrorData(error).code !== "service.not_running") throw error;
        await connection.ended;
        if (this.isClosed) return nobodyWaits();
      }
    }
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.connection.close();
  }

  private async watch(): Promise<void> {
    await this.connection.ended;
    if (this.isClosed) return;
    this.next = new Promise((resolve) => this.reopen(resolve, firstPauseMs));
    this.options.onLost();
  }

  private reopen(found: (connection: Connection) => void, pauseMs: number): void {
    if (!this.isClosed) {
      this.retry = setTimeout(() => void this.tryOpen(found, pauseMs), pauseMs);
    }
  }

  private async tryOpen(found: (connection: Connection) => void, pauseMs: number): Promise<void> {
    let connection: Connection;
    try {
      connection = await this.options.open();
    } catch (error) {
      if (this.isClosed) return;
      if (!passing.has(toErrorData(error).code)) return this.options.onFault(error);
      return this.reopen(found, Math.min(pauseMs * 1.5, longestPauseMs));
    }
    if (this.isClosed) return connection.close();
    this.take(connection);
    found(connection);
    this.options.onBack();
  }

  private take(connection: Connection): void {
    this.connection = connection;
    for (const listen of this.listening.keys()) this.listening.set(listen, listen(connection));
    this.next = undefined;
    void this.watch();
  }
}
