import type { ActorDetails } from "../../schema/shown/actor-view.ts";
import { toErrorData } from "../../schema/errors.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { App } from "../app/app.ts";
import { blank, line } from "../frame/line.ts";
import { joined, own, safe, type SafeText, wrapped, wrappedWords } from "../frame/safe-text.ts";
import { nameOf } from "../look/actor-look.ts";
import { type Choice, Picker } from "../overlays/picker.ts";
import { QuestionOverlay } from "../overlays/question-overlay.ts";
import { payloadForm } from "./payload-fields.ts";

type NextEvent = ActorDetails["next_events"][number];
type EventChoice = Choice & { readonly event: NextEvent };

/** Lets a person choose one of the events that the actor accepts now, fill in its payload, and send it. */
export async function poke(app: App, address: string): Promise<void> {
  const actor = await app.ask("actor.get", { address });
  if (actor === undefined) return;
  if (actor.next_events.length === 0) return app.say(own`${nameOf(actor)} accepts nothing now`);
  app.open(
    new Picker<EventChoice>(app, {
      title: own`send to ${nameOf(actor)}, which is ${safe(actor.state)}`,
      choices: choicesOf(actor.next_events),
      onPick: ({ event }) => fillIn(app, actor, event),
    }),
  );
}

/** Those that people may send come first. */
function choicesOf(events: readonly NextEvent[]): EventChoice[] {
  const allowed = events.filter(({ pokeable }) => pokeable);
  const others = events.filter(({ pokeable }) => !pokeable);
  return [
    ...allowed.map((event) => ({ name: safe(event.type), about: aboutOf(event), event })),
    ...others.map((event) => ({
      name: safe(event.type),
      about: own`not by hand. ${safe(event.description)}`,
      event,
      isOff: true as const,
    })),
  ];
}

function aboutOf({ targets, description }: NextEvent): SafeText {
  const leads = targets.length === 0 ? own`` : own`→ ${joined(targets.map(safe), own` or `)}. `;
  return own`${leads}${safe(description)}`;
}

function fillIn(app: App, actor: ActorDetails, event: NextEvent): void {
  const form = payloadForm(event.payload);
  app.open(
    new QuestionOverlay(app, {
      title: own`send ${safe(event.type)} to ${nameOf(actor)}`,
      about: (width) => [
        ...wrappedWords(aboutOf(event), width).map((text) => line(text)),
        ...wrapped(safe(actor.address), width).map((text) => line(text, { fg: "grey" })),
        ...(form.fields.length === 0 ? [blank, line(own`Enter sends it.`, { bold: true })] : []),
      ],
      fields: form.fields,
      onDone(values) {
        const payload = form.read(values);
        if (typeof payload === "string") return payload;
        return trySend(app, { address: actor.address, event: event.type, payload });
      },
    }),
  );
}

export type Poke = {
  readonly address: string;
  readonly event: string;
  readonly payload: JsonObject;
};

/** Sends it, and says what came of it. */
export async function send(app: App, sending: Poke): Promise<void> {
  const fault = await trySend(app, sending);
  if (fault !== undefined) app.say(fault, "bad");
}

/** @returns why it was not taken */
async function trySend(app: App, sending: Poke): Promise<SafeText | undefined> {
  try {
    const { outcome, state, reason } = await app.service.call("actor.send", sending);
    const said = own`${safe(sending.event)} was ${safe(outcome)}; the actor is ${safe(state)}`;
    if (outcome !== "handled") return reason === undefined ? said : own`${said}: ${safe(reason)}`;
    app.say(said, "good");
    return undefined;
  } catch (error) {
    const { message, hint } = toErrorData(error);
    return hint === undefined ? safe(message) : own`${safe(message)} (${safe(hint)})`;
  }
}

/** Sends what ends it, once the person has said yes. */
export async function cancelActor(app: App, address: string): Promise<void> {
  const actor = await app.ask("actor.get", { address });
  const event = actor?.next_events.find(
    ({ type, pokeable }) => pokeable && type.endsWith(".cancel"),
  );
  if (actor === undefined) return;
  if (event === undefined) return app.say(own`${nameOf(actor)} takes no cancel now`);
  fillIn(app, actor, event);
}
