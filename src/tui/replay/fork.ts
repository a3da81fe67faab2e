import type { ForkedRun } from "../../schema/shown/replay.ts";
import type { ShownRun } from "../../schema/socket/protocol.ts";
import type { App } from "../app/app.ts";
import { openChat } from "../chat/open-chat.ts";
import { line } from "../frame/line.ts";
import { own, safe, type SafeText, wrappedWords } from "../frame/safe-text.ts";
import { type Choice, Picker } from "../overlays/picker.ts";
import { QuestionOverlay } from "../overlays/question-overlay.ts";

export type Fork = {
  readonly runId: string;
  readonly at: number;
  /** Where that is, in words. */
  readonly place: SafeText;
  /** Closes what lies over the views, when the person goes to the new session. */
  readonly leave?: () => void;
};

/** Forks from a run's last step. */
export async function forkAtEnd(app: App, { run_id, address }: ShownRun): Promise<void> {
  const actor = await app.ask("actor.get", { address });
  if (actor === undefined) return;
  const place = own`the last step of ${safe(run_id)} so far`;
  askFork(app, { runId: run_id, at: actor.seq, place });
}

/** Asks for the next message of a new session that begins like the old one did until this step. */
export function askFork(app: App, fork: Fork): void {
  const about = own`A new session begins with the conversation as it was at ${fork.place}. What was done until then stays done; the old session is not touched.`;
  app.open(
    new QuestionOverlay(app, {
      title: own`fork ${safe(fork.runId)}`,
      about: (width) => wrappedWords(about, width).map((each) => line(each)),
      fields: [{ name: "text", label: own`what do you say next?` }],
      onDone({ text = "" }) {
        if (text.trim() === "") return own`a fork begins with a message: type one`;
        void beginFork(app, fork, text);
        return undefined;
      },
    }),
  );
}

/** Begins it, says what became of it, and offers to go there. */
export async function beginFork(app: App, fork: Fork, text: string): Promise<void> {
  const forked = await app.ask("runs.fork", { id: fork.runId, at: fork.at, text });
  if (forked === undefined) return;
  const name = safe(forked.session_id);
  app.say(own`${name} began with ${forked.messages} messages${lossesOf(forked)}`, "good");
  offer(app, fork, forked);
}

function lossesOf({ cut_calls, is_shortened }: ForkedRun): SafeText {
  const cut = cut_calls === 0 ? own`` : own`, calls cut off: ${cut_calls}`;
  return is_shortened ? own`${cut}, its oldest messages were left behind` : cut;
}

type Next = Choice & { readonly run: () => void };

function offer(app: App, { leave }: Fork, forked: ForkedRun): void {
  const { session_id, session, agent_id: agent, run_id } = forked;
  const choices: Next[] = [
    {
      name: own`talk on`,
      about: own`in the chat, session ${safe(session)}`,
      run: () => openChat(app, { agent, session }),
    },
    { name: own`watch`, about: own`its run ${safe(run_id)}`, run: () => app.go("runs", run_id) },
    {
      name: own`look`,
      about: own`at its conversation`,
      run: () => app.go("sessions", session_id),
    },
  ];
  app.open(
    new Picker<Next>(app, {
      title: own`${safe(session_id)} has begun; Esc stays here`,
      choices,
      onPick({ run }) {
        leave?.();
        run();
      },
    }),
  );
}
