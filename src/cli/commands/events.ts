import { InvalidArgumentError, Option } from "commander";
import type { Connection } from "../../client/connection.ts";
import { AgentError } from "../../schema/errors.ts";
import {
  type SidecarEvent,
  type SidecarEventType,
  sidecarEventTypes,
} from "../../schema/shown/news.ts";
import type { Notifications, ParamsOf } from "../../schema/socket/protocol.ts";
import { type Answer, printLine } from "../output/print-answer.ts";
import { defineCommand, type Group, streamed, type Streamed } from "../command.ts";
import { asking, type CommandContext, openConnection } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { eventLine } from "../output/event-line.ts";

type Wanted = ParamsOf<"events.subscribe">;
type Delta = Notifications["events.delta"];

const ids = ["trace", "run", "session", "agent"] as const;

type Options = { readonly [id in (typeof ids)[number]]?: string } & {
  readonly type?: SidecarEventType;
  readonly limit: number;
  readonly follow: boolean;
};

/** With --json each event is a line; `{"type":"lag","dropped"}` stands where older ones are missing. */
const tail = defineCommand<[], Options>({
  usage: "tail",
  summary: "what happens, as it happens; Ctrl-C ends it",
  example: "events tail --type ToolExecuted",
  exits: [exitCodes.interrupted],
  options: [
    new Option("--type <type>", "only this kind").choices([...sidecarEventTypes]),
    ...ids.map((name) => new Option(`--${name} <id>`, `only of this ${name}`)),
    new Option("--limit <n>", "begin with the newest n that the service remembers (up to 1000)")
      .argParser(upTo1000)
      .default(10),
    new Option("-f, --follow", "go on with what follows").default(true),
    new Option("--no-follow", "end after the newest"),
  ],
  async work(context, _args, options) {
    const { type, trace, run, session, agent, limit, follow } = options;
    const wanted = { type, trace, run, session, agent, limit, follow };
    if (follow) return goOn(context, wanted);
    const found = await asking(context, ({ call }) => call("events.subscribe", wanted));
    return listed(context, found.events);
  },
});

export const events: Group = {
  usage: "events",
  summary: "messages, replies, approvals and tool calls as they happen: tail",
  example: "events tail",
  children: [tail],
};

function listed({ style }: CommandContext, found: readonly SidecarEvent[]): Answer {
  const lines = found.map((event) => eventLine(event, style));
  const empty = "The service remembers nothing of that since its start.";
  return { data: found, text: lines.length === 0 ? empty : lines.join("\n") };
}

async function goOn(context: CommandContext, wanted: Wanted): Promise<Streamed> {
  const connection = await openConnection(context);
  const interrupted = new Promise<"interrupted">((resolve) => {
    context.terminal.onSignal(() => resolve("interrupted"));
  });
  await printFrom(connection, context, wanted);
  const ending = await Promise.race([connection.ended, interrupted]);
  connection.close();
  if (ending === "interrupted") return streamed(exitCodes.interrupted);
  throw new AgentError("service.not_running", "The service has gone away.", {
    hint: "`statehive start` starts it again; `statehive logs` has what it wrote",
  });
}

/** The newest, then what follows; what follows may be told first. */
async function printFrom(
  connection: Connection,
  context: CommandContext,
  wanted: Wanted,
): Promise<void> {
  const { terminal, json, style } = context;
  const print = (event: SidecarEvent) =>
    printLine(terminal.stdout, json ? JSON.stringify(event) : eventLine(event, style));
  const tell = ({ events: found, dropped }: Delta) => {
    if (dropped > 0) tellLag(context, dropped);
    for (const event of found) print(event);
  };
  let early: Delta[] | undefined = [];
  connection.on("events.delta", (delta) => void (early?.push(delta) ?? tell(delta)));
  const { events: newest } = await connection.call("events.subscribe", wanted);
  for (const delta of [{ events: newest, dropped: 0 }, ...early]) tell(delta);
  early = undefined;
}

function tellLag({ terminal, json, note }: CommandContext, dropped: number): void {
  if (json) printLine(terminal.stdout, JSON.stringify({ type: "lag", dropped }));
  else note(`(too slow: ${dropped} events were left out)`);
}

function upTo1000(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 1_000) return value;
  throw new InvalidArgumentError("It is no whole number from 0 to 1000.");
}
