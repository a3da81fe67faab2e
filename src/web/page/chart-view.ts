import type { InspectedSnapshot, InspectedStep } from "../../schema/shown/inspected.ts";
import type { ChartDefinition } from "../stream-message.ts";
import { find, make, write } from "./dom.ts";
import { activeIds, idsOfPath, isIn } from "./state-ids.ts";

export type ChartShown = {
  readonly address: string;
  readonly machine: string;
  readonly version: string;
  /** Undefined where no chart of this version is known. */
  readonly chart: ChartDefinition | undefined;
  readonly snapshot: InspectedSnapshot;
  /** The step that led there. */
  readonly step: InspectedStep | null;
};

const zoomStep = 1.25;
const readable = { least: 0.2, first: 0.65, most: 3 } as const;

/** The chart of one actor: which states are active, which transition was taken last. */
export class ChartView {
  private readonly box: HTMLElement;
  private readonly title: HTMLElement;
  private readonly pictures = new Map<string, SVGSVGElement>();
  private readonly asked = new Set<string>();
  private wanted: ChartShown | null = null;
  private told = "";
  private zoom: number | null = null;

  constructor(section: HTMLElement) {
    this.box = find(section, ".drawing");
    this.title = find(section, "h2");
    for (const button of section.querySelectorAll<HTMLElement>("[data-zoom]")) {
      button.addEventListener("click", () => this.onZoom(button.dataset["zoom"] ?? ""));
    }
  }

  /** Fits the picture into a box of another size, with the active state in sight. */
  fitAgain(): void {
    const picture = this.box.querySelector("svg");
    if (picture === null) return;
    this.resize(picture);
    this.told = "";
    this.show(this.wanted);
  }

  show(wanted: ChartShown | null): void {
    this.wanted = wanted;
    if (wanted === null) return this.say("Chart", "No actor is chosen.");
    const { machine, version, chart } = wanted;
    const title = `${machine}, version ${version}`;
    if (chart === undefined) {
      return this.say(title, `No chart of ${machine}, version ${version}, is known here.`);
    }
    const picture = this.pictures.get(chart.name);
    if (picture === undefined) {
      this.say(title, "The chart is loaded …");
      return this.load(chart.name);
    }
    write(this.title, title);
    this.draw(picture, wanted);
  }

  private say(title: string, text: string): void {
    this.told = "";
    write(this.title, title);
    this.box.replaceChildren(make(this.box.ownerDocument, "p", { kind: "told", text }));
  }

  /** As a document of its own, so that no text is ever read as markup of this page. */
  private load(name: string): void {
    if (this.asked.has(name)) return;
    this.asked.add(name);
    const { defaultView: window } = this.box.ownerDocument;
    if (window === null) return;
    const request = new window.XMLHttpRequest();
    request.open("GET", `/charts/${encodeURIComponent(name)}.svg`);
    request.responseType = "document";
    request.addEventListener("load", () => this.take(name, request.responseXML));
    request.addEventListener("error", () => this.asked.delete(name));
    request.send();
  }

  private take(name: string, loaded: Document | null): void {
    if (loaded === null) return;
    const picture = this.box.ownerDocument.importNode(loaded.documentElement, true);
    this.pictures.set(name, picture as Element as SVGSVGElement);
    this.show(this.wanted);
  }

  private draw(picture: SVGSVGElement, { address, machine, snapshot, step }: ChartShown): void {
    if (picture.parentNode !== this.box) {
      this.box.replaceChildren(picture);
      this.resize(picture);
    }
    const active = activeIds(machine, snapshot.value);
    for (const state of picture.querySelectorAll<SVGElement>("[data-id]")) {
      state.classList.toggle("active", active.includes(state.dataset["id"] ?? ""));
    }
    for (const arrow of picture.querySelectorAll<SVGElement>("[data-events]")) {
      arrow.classList.toggle("taken", step !== null && wasTaken(arrow, machine, step));
    }
    const told = JSON.stringify([address, snapshot.value]);
    if (told === this.told) return;
    this.told = told;
    this.reveal(active.at(-1) ?? "");
  }

  private reveal(id: string): void {
    const states = [...this.box.querySelectorAll<SVGElement>("[data-id]")];
    const state = states.find(({ dataset }) => dataset["id"] === id);
    if (state === undefined) return;
    const [inner, outer] = [state.getBoundingClientRect(), this.box.getBoundingClientRect()];
    this.box.scrollTo({
      left: this.box.scrollLeft + (inner.left + inner.right - outer.left - outer.right) / 2,
      top: this.box.scrollTop + (inner.top + inner.bottom - outer.top - outer.bottom) / 2,
    });
  }

  private onZoom(how: string): void {
    const picture = this.box.querySelector("svg");
    if (picture === null) return;
    const scale = this.scaleOf(picture);
    if (how === "fit") this.zoom = this.fitting(picture);
    else this.zoom = how === "in" ? scale * zoomStep : scale / zoomStep;
    this.fitAgain();
  }

  /** As large as fits, but never so small at first that it cannot be read. */
  private scaleOf(picture: SVGSVGElement): number {
    const scale = this.zoom ?? Math.max(readable.first, Math.min(1, this.fitting(picture)));
    return Math.max(readable.least, Math.min(readable.most, scale));
  }

  private fitting(picture: SVGSVGElement): number {
    const { width, height } = sizeOf(picture);
    const { clientWidth, clientHeight } = this.box;
    return Math.min(clientWidth / width, clientHeight / height) || 1;
  }

  private resize(picture: SVGSVGElement): void {
    const { width, height } = sizeOf(picture);
    const scale = this.scaleOf(picture);
    picture.setAttribute("width", String(Math.floor(width * scale)));
    picture.setAttribute("height", String(Math.floor(height * scale)));
  }
}

function sizeOf(picture: SVGSVGElement): { readonly width: number; readonly height: number } {
  const [, , width = 1, height = 1] = (picture.getAttribute("viewBox") ?? "")
    .split(" ")
    .map(Number);
  return { width, height };
}

function wasTaken({ dataset }: SVGElement, machine: string, step: InspectedStep): boolean {
  const { from = "", to = "", events = "" } = dataset;
  const isOfEvent = events.split(" ").includes(step.event.type);
  const before = idsOfPath(machine, step.state_before);
  const after = idsOfPath(machine, step.state_after);
  return step.outcome === "handled" && isOfEvent && isIn(from, before) && isIn(to, after);
}
