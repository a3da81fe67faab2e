import { queueModes } from "../../schema/queue.ts";
import { queuedMessage, waitsFor } from "../../text/queue-text.ts";
import type { App } from "../app/app.ts";
import type { Line } from "../frame/frame.ts";
import { blank, fitLine, line, span } from "../frame/line.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { type Choice, Picker } from "../overlays/picker.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import type { ChatConversation } from "./chat-conversation.ts";
import { type Conversation, conversationIn, usualSession } from "./conversation.ts";

/** What commands are about. */
export type Chatting = {
  readonly app: App;
  readonly conversation: ChatConversation;
  open(conversation: Partial<Conversation>): void;
};

type Command = {
  readonly usage: string;
  readonly about: string;
  readonly run: (chatting: Chatting, words: string) => void;
};

const commands: { readonly [name: string]: Command } = {
  "/help": { usage: "/help", about: "this list", run: ({ app }) => app.open(chatHelp()) },
  "/agent": {
    usage: "/agent [ID]",
    about: "talk with this agent; without ID: choose one",
    run: (chatting, id) =>
      id === "" ? void pickAgent(chatting) : openWith(chatting, { agent: id }),
  },
  "/session": {
    usage: "/session [NAME]",
    about: `go on in this conversation, or begin it; the usual one is ${usualSession}`,
    run: (chatting, session) =>
      session === "" ? pickSession(chatting) : openWith(chatting, { session }),
  },
  "/new": {
    usage: "/new",
    about: "begin anew: the agent forgets what was said",
    run: ({ conversation }) => void conversation.beginAnew(),
  },
  "/stop": {
    usage: "/stop [after]",
    about: "cancel what runs (Esc); after: once its present step has ended",
    run: ({ app, conversation }, words) => {
      if (words !== "" && words !== "after")
        return app.say(own`/stop takes nothing, or after`, "bad");
      return void conversation.cancel(words === "after");
    },
  },
  "/queue": {
    usage: `/queue ${queueModes.join("|")}`,
    about: "what becomes of a message while a run works",
    run: ({ app, conversation }, word) => {
      const mode = queueModes.find((one) => one === word);
      if (mode === undefined)
        return app.say(own`it is one of ${safe(queueModes.join(", "))}`, "bad");
      conversation.queue = mode;
      app.say(own`while a run works, a message ${safe(waitsFor[mode])}`);
    },
  },
  "/approvals": {
    usage: "/approvals",
    about: "what waits for you (F4)",
    run: ({ app }) => app.go("approvals"),
  },
};

/** Sends what is typed, or does what it says. @returns whether it is done with, so that the field is emptied */
export function takeTyped(chatting: Chatting, typed: string): boolean {
  const { app, conversation } = chatting;
  const queued = queuedMessage(typed);
  if (queued !== undefined) {
    if (queued.text !== "") return conversation.send(queued.text, queued.queue);
    app.say(own`say what: /${safe(queued.queue)} TEXT`, "bad");
    return false;
  }
  const [, name, words = ""] = /^(\/[a-z_]+)(?:\s+(.*))?$/s.exec(typed.trim()) ?? [];
  if (name === undefined) return conversation.send(typed);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    app.say(own`there is no ${safe(name)}; /help lists what there is`, "bad");
    return false;
  }
  command.run(chatting, words.trim());
  return true;
}

function openWith(
  { conversation: { place }, open }: Chatting,
  change: Partial<Conversation>,
): void {
  open({ ...place, ...change });
}

async function pickAgent(chatting: Chatting): Promise<void> {
  const agents = await chatting.app.ask("agents.list", {});
  if (agents === undefined) return;
  pick(
    chatting,
    own`talk with whom?`,
    agents.map(({ id, name, state, model }) => ({
      name: safe(id),
      about: own`${safe(name)}, ${state === "enabled" ? safe(model ?? "no model answers") : own`disabled`}`,
      to: { agent: id },
    })),
  );
}

function pickSession(chatting: Chatting): void {
  const here = chatting.app.model.sessions.flatMap(({ key, state, agent_id }) => {
    const place = conversationIn(key);
    if (place === undefined) return [];
    return [
      { name: safe(place.session), about: own`with ${safe(agent_id)}, ${safe(state)}`, to: place },
    ];
  });
  pick(chatting, own`which conversation?`, here);
}

type Leading = Choice & { readonly to: Partial<Conversation> };

function pick(chatting: Chatting, title: SafeText, choices: readonly Leading[]): void {
  const { app } = chatting;
  app.open(
    new Picker<Leading>(app, { title, choices, onPick: ({ to }) => openWith(chatting, to) }),
  );
}

const keys: readonly (readonly [SafeText, SafeText])[] = [
  [own`Enter`, own`sends; while a run works, the message waits its turn or as /queue says`],
  [own`C-s`, own`sends it into the run that works, before its next step`],
  [own`C-j  M-Enter`, own`a new line`],
  [own`Esc`, own`cancels the run that works; then empties the field`],
  [own`C-y`, own`shows what waits for you, whole, and takes your answer there`],
  [own`C-o`, own`shows calls with all that went in and came out`],
  [own`PgUp  PgDn`, own`scroll; at the top, earlier messages are fetched`],
  [own`↑  ↓`, own`what was sent before`],
];

function chatHelp(): TextOverlay {
  const told = Object.values(commands).map(({ usage, about }) => row(safe(usage), safe(about)));
  const queued = queueModes.map((mode) =>
    row(own`/${safe(mode)} TEXT`, own`TEXT ${safe(waitsFor[mode])}`),
  );
  return new TextOverlay({
    title: own`help: the chat`,
    lines: () => [
      line(own`Commands`, { bold: true }),
      ...told,
      ...queued,
      blank,
      line(own`Keys`, { bold: true }),
      ...keys.map(([name, about]) => row(name, about)),
    ],
  });
}

function row(name: SafeText, about: SafeText): Line {
  return [...fitLine([span(own`  ${name}`, { bold: true })], 44), span(about)];
}
