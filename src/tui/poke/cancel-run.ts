import type { ShownRun } from "../../schema/socket/protocol.ts";
import type { App } from "../app/app.ts";
import { own, safe } from "../frame/safe-text.ts";
import { type Choice, Picker } from "../overlays/picker.ts";

type Ending = Choice & { readonly afterStep: boolean };

const endings: readonly Ending[] = [
  { name: own`now`, about: own`its model call and its tools are stopped`, afterStep: false },
  {
    name: own`after this step`,
    about: own`its model call and the calls it asked for may end`,
    afterStep: true,
  },
];

/** Ends a run, now or after its present step, as the person chooses. */
export function cancelRun(app: App, run: Pick<ShownRun, "run_id" | "ended_at" | "state">): void {
  const name = safe(run.run_id);
  if (run.ended_at !== null) return app.say(own`${name} has ended already: ${safe(run.state)}`);
  app.open(
    new Picker<Ending>(app, {
      title: own`cancel run ${name}, which is ${safe(run.state)}?`,
      choices: endings,
      onPick: ({ afterStep }) => void cancel(app, run.run_id, afterStep),
    }),
  );
}

async function cancel(app: App, id: string, after_step: boolean): Promise<void> {
  const sent = await app.ask("runs.cancel", { id, after_step });
  if (sent === undefined) return;
  const state = own`the run ${safe(id)} is ${safe(sent.state)}`;
  const isGoingOn = after_step && !["cancelling", "cancelled"].includes(sent.state);
  app.say(isGoingOn ? own`${state} and stops after this step` : state, "good");
}
