import type { RecordedRun } from "./recorded-run.ts";

/** Where replays have got to: the next page goes on from there, instead of running the run again from its beginning. */
export class PlacesKept {
  private readonly most: number;
  private readonly places = new Map<string, RecordedRun>();

  constructor(most: number) {
    this.most = most;
  }

  /** Nobody else goes on from the same place. */
  take(runId: string, reached: number): RecordedRun | undefined {
    const key = `${runId} ${reached}`;
    const place = this.places.get(key);
    this.places.delete(key);
    return place;
  }

  keep(place: RecordedRun): void {
    this.places.set(`${place.runId} ${place.reached}`, place);
    const [oldest] = this.places.keys();
    if (this.places.size > this.most && oldest !== undefined) this.places.delete(oldest);
  }
}
