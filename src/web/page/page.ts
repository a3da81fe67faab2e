import type { StreamMessage } from "../stream-message.ts";
import { ChartView } from "./chart-view.ts";
import { DetailsView } from "./details-view.ts";
import { find, write } from "./dom.ts";
import { HiveModel } from "./hive-model.ts";
import { HostedView } from "./hosted-view.ts";
import { takeToken } from "./page-token.ts";
import { readStream } from "./read-stream.ts";
import { RowList } from "./row-list.ts";
import { actorRows, eventRows } from "./rows.ts";
import { Selection } from "./selection.ts";

export type PageOptions = {
  readonly window: Window;
  readonly fetch: typeof globalThis.fetch;
  /** How long the hosted inspector may take to answer. */
  readonly patienceMs?: number;
};

const clearEveryMs = 1_000;

/** The whole page. Resolves when nothing more can come. */
export async function startPage({ window, fetch, patienceMs }: PageOptions): Promise<void> {
  const { document } = window;
  const model = new HiveModel();
  const selection = new Selection();
  const hosted = new HostedView(document, {
    model,
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  const views = new Views(document, model, selection);
  const token = takeToken(window);
  if (token === undefined) {
    return views.link(
      "ended",
      "Open the address that `statehive inspect` prints: this one has no token.",
    );
  }
  window.setInterval(() => {
    if (!model.clearEnded(window.performance.now())) return;
    selection.stay(model);
    views.paint();
  }, clearEveryMs);
  const hear = (message: StreamMessage) => {
    model.hear(message, window.performance.now());
    selection.hear(message, model);
    hosted.hear(message);
    if (message.type === "hello") hosted.offer();
    if (message.type === "attached") views.link("attached", "● attached");
    if (message.type === "detached") {
      const comesBack = "What is shown is how it was; it comes back by itself.";
      views.link("detached", `○ detached: ${message.reason} ${comesBack}`);
    }
    views.paint();
  };
  const wait = (ms: number) => new Promise<void>((resolve) => void window.setTimeout(resolve, ms));
  const why = await readStream({ fetch, token, hear, wait });
  views.link("ended", `■ ${why}`);
}

class Views {
  private readonly window: Window | null;
  private readonly service: HTMLElement;
  private readonly scope: HTMLElement;
  private readonly follow: HTMLInputElement;
  private readonly model: HiveModel;
  private readonly selection: Selection;
  private readonly actors: RowList;
  private readonly events: RowList;
  private readonly chart: ChartView;
  private readonly details: DetailsView;
  private isPainting = false;

  constructor(document: Document, model: HiveModel, selection: Selection) {
    this.window = document.defaultView;
    this.service = find(document, "#link");
    this.scope = find(document, "#scope");
    this.follow = find(document, "#follow") as HTMLInputElement;
    this.model = model;
    this.selection = selection;
    this.chart = new ChartView(find(document, "#chart"));
    this.window?.addEventListener("resize", () => this.chart.fitAgain());
    this.details = new DetailsView(find(document, "#details .facts"));
    this.actors = new RowList(find(document, "#actors .rows"), {
      role: "treeitem",
      empty: "No actor lives there.",
      choose: (address) => this.choose(address, null),
    });
    this.events = new RowList(find(document, "#events .rows"), {
      role: "option",
      empty: "Nothing has happened since this page was opened.",
      choose: (key) => this.chooseEvent(key),
    });
    this.follow.addEventListener("change", () => {
      selection.follow(this.follow.checked);
      this.paint();
    });
  }

  link(state: "attached" | "detached" | "ended", text: string): void {
    this.service.dataset["state"] = state;
    write(this.service, text);
  }

  /** Once before the next frame, however often it is asked for. */
  paint(): void {
    if (this.isPainting) return;
    this.isPainting = true;
    this.window?.requestAnimationFrame(() => {
      this.isPainting = false;
      this.paintNow();
    });
  }

  private paintNow(): void {
    const { model, selection } = this;
    const { step } = selection;
    const actor = model.known(selection.address ?? "");
    this.actors.show(actorRows(model), selection.address);
    this.events.show(eventRows(model), step === null ? null : `s${step.seq}`);
    this.follow.checked = selection.follows;
    const living = [...model.actors.values()].filter(({ endedAt }) => endedAt === null).length;
    const where = model.address === "" ? "all actors" : model.address;
    write(this.scope, `${where} · ${living} live`);
    if (actor === undefined) {
      this.chart.show(null);
      this.details.show(null);
      return;
    }
    const snapshot = step?.snapshot ?? actor.snapshot;
    const { address, machine, version } = actor;
    const chart = model.chartOf(actor);
    this.chart.show({ address, machine, version, chart, snapshot, step: step ?? actor.lastStep });
    this.details.show({ actor, snapshot, step });
  }

  private choose(address: string, step: Selection["step"]): void {
    if (this.model.known(address) === undefined) return;
    this.selection.choose(address, step);
    this.paint();
  }

  private chooseEvent(key: string): void {
    const happening = this.model.happenings.find((other) => other.key === key);
    if (happening?.kind === "step") this.choose(happening.step.address, happening.step);
  }
}
