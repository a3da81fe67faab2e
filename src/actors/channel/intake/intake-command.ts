import { type ChatCommand, chatCommands } from "../../../schema/chat-commands.ts";
import type { SendParams } from "../../../schema/effect.ts";
import type { Session } from "../../../schema/rows/session-rows.ts";
import { nameOf } from "./agents-here.ts";
import { answer, type SaidCommand } from "./answer.ts";
import { chooseAgent } from "./choose-agent.ts";
import { conversationNow, openQuestionsIn } from "./conversation-now.ts";
import type { Intake } from "./intake-parts.ts";
import { askAgain } from "../questions/repost.ts";
import { statusText } from "./status-text.ts";
import { stopRuns } from "./stop-runs.ts";

/** What a person says to the service itself. What it does not know is no message to an agent either: the person hears so. */
export function obeyCommand(intake: Intake, said: SaidCommand): readonly SendParams[] {
  const name = said.command.name.toLowerCase();
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands](intake, said);
  const text = `I do not know /${name}, and have not passed it on. /help lists what I understand.`;
  return [answer(said, text)];
}

type Obey = (intake: Intake, said: SaidCommand) => readonly SendParams[];

const commands: { readonly [name in ChatCommand | "start"]: Obey } = {
  new: beginAnew,
  stop,
  status: (intake, said) => [answer(said, statusText(intake, said.place))],
  approvals: showQuestions,
  agent: chooseAgent,
  help: (intake, said) => [answer(said, helpText(intake, said))],
  start: (intake, said) => [answer(said, startText(intake, said))],
};

function beginAnew({ read }: Intake, said: SaidCommand): readonly SendParams[] {
  const { address, session, run, isSetAside } = conversationNow(read, said.place);
  if (isSetAside) return [answer(said, setAsideText(session))];
  if (session === undefined)
    return [answer(said, "No conversation is open; your next message begins one.")];
  const first = run === undefined ? "" : "I stop what I was doing. ";
  const event = { type: "session.cancel", reason: "a person began a new conversation" };
  const trace = said.place.trace_id;
  return [{ to: address, event, trace }, answer(said, `${first}A new conversation begins.`)];
}

function setAsideText(session: Session | undefined): string {
  const id = session?.session_id ?? "ID";
  return `This conversation was set aside after a fault inside statehive. My owner can close it: statehive sessions reset ${id}`;
}

/** What ends says so itself. */
function stop(intake: Intake, said: SaidCommand): readonly SendParams[] {
  const isGentle = said.command.args.trim() === "after";
  const { sent, runs, queued } = stopRuns(intake, said.place, isGentle ? "step" : "now");
  if (runs === 0) return [answer(said, "Nothing is being done.")];
  if (isGentle) return [...sent, answer(said, "I stop after the present step.")];
  if (queued === 0) return sent;
  const what = queued === 1 ? "1 message waits and comes" : `${queued} messages wait and come`;
  return [...sent, answer(said, `I stop. ${what} next; /new drops what waits.`)];
}

/** At once on the screen; `/status` counts all of them. */
const mostQuestions = 10;

function showQuestions(intake: Intake, said: SaidCommand): readonly SendParams[] {
  const { read, at } = intake;
  const { connector_id, conversation_scope: scope, trace_id: trace } = said.place;
  const open = openQuestionsIn(intake, said.place);
  if (open.length === 0) return [answer(said, "Nothing waits for a decision.")];
  const cards = open
    .slice(0, mostQuestions)
    .flatMap((approval) => askAgain(read, approval, { connector_id, scope, at }));
  if (cards.length === 0) return [answer(said, "What waits has just been posted, above.")];
  const shown = cards.map((card) => ({ ...card, trace }));
  if (open.length <= mostQuestions) return shown;
  return [...shown, answer(said, `These are the oldest ${mostQuestions} of ${open.length}.`)];
}

function helpText({ agents }: Intake, { place, conversation }: SaidCommand): string {
  return [
    `${nameOf(agents, place.agent_id)} answers here. Commands:`,
    ...chatCommands.map(({ name, meaning }) => `/${name}: ${meaning}`),
    ...(conversation === "private" ? [] : [groupHint]),
  ].join("\n");
}

const groupHint = "In a group I hear only what mentions me, answers me, or is a command for me.";

function startText({ agents }: Intake, { place, conversation }: SaidCommand): string {
  const hello = `Hello. I am ${nameOf(agents, place.agent_id)}. Write what you want, or send a file.`;
  return [
    hello,
    ...(conversation === "private" ? [] : [groupHint]),
    "/help lists the commands.",
  ].join("\n");
}
