import type { RecordedRun } from "./recorded-run.ts";

/** Where replays have got to: what is asked next goes on from there, instead of running the run again from its beginning. */
export class PlacesKept {
  private readonly most: number;
  /** The one that was kept last is the last. */
  private places: readonly RecordedRun[] = [];

  constructor(most: number) {
    this.most = most;
  }

  /** The furthest of this run that is not beyond the step; nobody else goes on from there. */
  take(runId: string, upTo: number): RecordedRun | undefined {
    const [found] = this.places
      .filter((place) => place.runId === runId && place.reached <= upTo)
      .toSorted((one, other) => other.reached - one.reached);
    this.places = this.places.filter((place) => place !== found);
    return found;
  }

  keep(place: RecordedRun): void {
    this.places = [...this.places, place].slice(-this.most);
  }
}
