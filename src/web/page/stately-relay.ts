import type { StreamMessage } from "../stream-message.ts";
import type { HiveModel } from "./hive-model.ts";
import { actorMessage, type StatelyMessage, stepMessages } from "./stately-messages.ts";

export type RelayOptions = {
  /** This page's. */
  readonly window: Window;
  readonly frame: HTMLIFrameElement;
  /** Of the page in the frame: no other gets anything. */
  readonly origin: string;
  readonly model: HiveModel;
  /** Told each time that the page in the frame is ready. */
  onConnected(): void;
};

/** Hands what happens to a page that speaks Stately's inspector protocol, once it has said that it listens. Whenever it says so it
 *  is told everything first: the actors, parents before children, and the steps that led to where they are. */
export class StatelyRelay {
  private readonly options: RelayOptions;
  private isConnected = false;

  constructor(options: RelayOptions) {
    this.options = options;
    options.window.addEventListener("message", this.onMessage);
  }

  /** @param message one that the model has heard */
  hear(message: StreamMessage): void {
    if (!this.isConnected) return;
    if (message.type === "attached") this.tellActors();
    if (message.type !== "news") return;
    const { model } = this.options;
    if (message.dropped > 0) this.tellActors();
    else this.tellActors(message.actors.map(({ address }) => address));
    for (const step of message.steps) stepMessages(model, step).forEach(this.post);
  }

  end(): void {
    this.options.window.removeEventListener("message", this.onMessage);
    this.isConnected = false;
  }

  private readonly onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
    const { frame, origin: expected, model, onConnected } = this.options;
    if (source !== frame.contentWindow || origin !== expected || !isConnection(data)) return;
    this.isConnected = true;
    this.tellActors();
    for (const step of model.steps) stepMessages(model, step).forEach(this.post);
    onConnected();
  };

  private tellActors(addresses?: readonly string[]): void {
    const { model } = this.options;
    for (const { actor } of model.tree()) {
      const isWanted = addresses === undefined || addresses.includes(actor.address);
      if (isWanted) this.post(actorMessage(model, actor, Date.now()));
    }
  }

  private readonly post = (message: StatelyMessage): void => {
    const { frame, origin } = this.options;
    frame.contentWindow?.postMessage(message, origin);
  };
}

function isConnection(data: unknown): boolean {
  return (
    typeof data === "object" &&
    data !== null &&
    "type" in data &&
    data.type === "@statelyai.connected"
  );
}
