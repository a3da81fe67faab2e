import type { Connection } from "../../client/connection.ts";
import { toErrorData } from "../../schema/errors.ts";

export type ServiceLinkOptions = {
  readonly connection: Connection;
  /** Opens the next one. */
  readonly open: () => Promise<Connection>;
  readonly onLost: () => void;
  readonly onBack: () => void;
  /** The service that came back cannot be talked to. */
  readonly onFault: (error: unknown) => void;
};

const firstPauseMs = 100;
const longestPauseMs = 2_000;
const passing = new Set(["service.not_running", "service.not_answering"]);

/** After the conversation has ended, what was under way neither succeeds nor fails. */
function nobodyWaits(): Promise<never> {
  return new Promise(() => {});
}

/** The connection to a service that may be restarted: when it is lost, the next one is waited for. */
export class ServiceLink {
  private readonly options: ServiceLinkOptions;
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

  /** One request, now or not at all. @throws AgentError service.not_running while the service is away */
  get call(): Connection["call"] {
    return this.connection.call;
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
    const open = async () => {
      try {
        this.connection = await this.options.open();
      } catch (error) {
        if (!passing.has(toErrorData(error).code)) return this.options.onFault(error);
        return this.reopen(found, Math.min(pauseMs * 1.5, longestPauseMs));
      }
      if (this.isClosed) return this.connection.close();
      this.next = undefined;
      void this.watch();
      found(this.connection);
      this.options.onBack();
    };
    if (!this.isClosed) this.retry = setTimeout(() => void open(), pauseMs);
  }
}
