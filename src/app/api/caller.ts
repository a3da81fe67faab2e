import type { Origin } from "../../schema/events/event.ts";
import type {
  Client,
  Method,
  Notifications,
  ParsedParams,
  Results,
} from "../../schema/socket/protocol.ts";

/** Who asks: one connection of one client. */
export type Caller = {
  readonly origin: Origin;
  /** As it stands in approvals and the audit: `cli`. */
  readonly name: string;
  /** What the client says it is, once. @throws AgentError usage: it has said something else before */
  introduce(client: Client): void;
  notify<N extends keyof Notifications>(method: N, params: Notifications[N]): void;
  /** Resolves when the client has read what was said, but for a little; at once when it has gone. What is told to a client
   *  without waiting for this piles up, and ends its connection at 16 MiB. */
  drained(): Promise<void>;
  /** Called once when the connection ends. @returns what makes it forget the call, for what is over before that */
  onEnd(call: () => void): () => void;
};

export type Handler<M extends Method> = (
  params: ParsedParams<M>,
  caller: Caller,
) => Promise<Results[M]>;
export type Handlers<M extends Method> = { readonly [K in M]: Handler<K> };
export type Api = Handlers<Method>;
