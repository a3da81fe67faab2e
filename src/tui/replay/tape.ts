import type { ReplayFrame, ReplayPage } from "../../schema/shown/replay.ts";
import type { App } from "../app/app.ts";

const pageSize = 200;
/** Of what a frame says; the whole of it comes with the moment. */
const longestText = 200;

/** A run's recorded transitions, asked for page by page as somebody comes near them. */
export class Tape {
  /** Oldest first. */
  readonly frames: ReplayFrame[] = [];
  /** What the service says of the run beside them. */
  run: Omit<ReplayPage, "frames" | "next"> | undefined;
  isComplete = false;
  private readonly app: App;
  private readonly runId: string;
  private loading: Promise<boolean> | undefined;

  constructor(app: App, runId: string) {
    this.app = app;
    this.runId = runId;
  }

  get isLoading(): boolean {
    return this.loading !== undefined;
  }

  /** One more page; of a run that goes on, also behind what was the end.
   *  @returns whether there was anything in it */
  more(): Promise<boolean> {
    this.loading ??= this.load().finally(() => {
      this.loading = undefined;
      this.app.changed();
    });
    return this.loading;
  }

  private async load(): Promise<boolean> {
    const after_seq = this.frames.at(-1)?.seq ?? 0;
    const page = await this.app.ask("runs.replay", { id: this.runId, after_seq, limit: pageSize });
    if (page === undefined) return false;
    const { frames, next, ...run } = page;
    this.run = run;
    this.isComplete = next === null;
    for (const frame of frames) this.frames.push(shortened(frame));
    return frames.length > 0;
  }
}

function shortened(frame: ReplayFrame): ReplayFrame {
  const { what } = frame;
  if (what === null || what.text.length <= longestText) return frame;
  return { ...frame, what: { ...what, text: what.text.slice(0, longestText), is_cut: true } };
}
