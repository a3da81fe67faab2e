import type { StreamMessage } from "../stream-message.ts";
import { find, write } from "./dom.ts";
import type { HiveModel } from "./hive-model.ts";
import { StatelyRelay } from "./stately-relay.ts";

export type HostedOptions = { readonly model: HiveModel; readonly patienceMs?: number };

const patienceMs = 15_000;

/** The Stately Inspector in a frame. Nothing is loaded, and nothing handed over, before a person has read what that means and asked
 *  for it. */
export class HostedView {
  private readonly document: Document;
  private readonly options: HostedOptions;
  private readonly button: HTMLElement;
  private open: { readonly relay: StatelyRelay; readonly frame: HTMLIFrameElement } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: Document, options: HostedOptions) {
    this.document = document;
    this.options = options;
    this.button = find(document, "#stately");
    const on = (id: string, call: () => void) => find(document, id).addEventListener("click", call);
    on("#stately", () => this.ask());
    on("#stay", () => this.leave());
    on("#open-hosted", () => this.load());
    on("#close-hosted", () => this.leave());
  }

  /** Where it is not offered there is no button for it. */
  offer(): void {
    const { hosted } = this.options.model;
    this.button.hidden = hosted === null;
    if (hosted === null) return;
    const { host } = new URL(hosted);
    write(find(this.document, "#hosted-url"), hosted);
    write(find(this.document, "#open-hosted"), `Open the Stately Inspector (${host})`);
  }

  hear(message: StreamMessage): void {
    this.open?.relay.hear(message);
  }

  private ask(): void {
    this.show("consent");
    write(find(this.document, "#hosted-fault"), "");
    find(this.document, "#open-hosted").focus();
  }

  private leave(): void {
    this.close();
    this.show("own");
  }

  private load(): void {
    const { model } = this.options;
    const { document } = this;
    const { defaultView: window } = document;
    if (model.hosted === null || window === null || this.open !== undefined) return;
    const { host, origin } = new URL(model.hosted);
    const frame = document.createElement("iframe");
    frame.title = `Stately Inspector (${host})`;
    frame.referrerPolicy = "no-referrer";
    frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-popups allow-downloads");
    const relay = new StatelyRelay({
      window,
      frame,
      origin,
      model,
      onConnected: () => this.connected(host),
    });
    this.open = { relay, frame };
    frame.src = model.hosted;
    this.show("frame");
    this.state(`${host} is being loaded …`);
    find(document, "#hosted-frame").append(frame);
    this.timer = setTimeout(() => this.giveUp(host), this.options.patienceMs ?? patienceMs);
  }

  private connected(host: string): void {
    clearTimeout(this.timer);
    this.state(`${host} is told everything that happens here, as it happens.`);
  }

  private giveUp(host: string): void {
    this.close();
    this.show("consent");
    write(
      find(this.document, "#hosted-fault"),
      `${host} did not answer: there is no network, or it is not reachable. It was handed nothing. The charts that are drawn here need no network.`,
    );
  }

  private close(): void {
    clearTimeout(this.timer);
    this.open?.relay.end();
    this.open?.frame.remove();
    this.open = undefined;
  }

  private state(text: string): void {
    write(find(this.document, "#hosted-state"), text);
  }

  private show(what: "own" | "consent" | "frame"): void {
    find(this.document, "#own").hidden = what !== "own";
    find(this.document, "#hosted").hidden = what === "own";
    find(this.document, "#consent").hidden = what !== "consent";
    find(this.document, "#hosted-frame").hidden = what !== "frame";
  }
}
