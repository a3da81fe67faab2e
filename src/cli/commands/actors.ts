import { Option } from "commander";
import { AgentError } from "../../schema/errors.ts";
import type { ParamsOf } from "../../schema/socket/protocol.ts";
import { defineCommand, type Group } from "../command.ts";
import { asking } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { actorTree } from "../output/actor-tree.ts";
import { actorText } from "../output/actor-text.ts";
import { shown } from "../../text/shown.ts";
import { reading } from "../reading.ts";
import { type Limited, limitOption } from "./limit-option.ts";
import { dead } from "./actors-dead.ts";
import { watch } from "./actors-watch.ts";

const tree = defineCommand<[prefix: string | undefined], Limited & { all?: boolean }>({
  usage: "tree [prefix]",
  summary: "the actors that live, as a tree",
  example: "actors tree session/",
  offline: "file",
  options: [new Option("--all", "ended ones too"), limitOption(1000)],
  async work(context, [prefix], { all = false, limit }) {
    const where = prefix === undefined ? {} : { prefix };
    const rows = await reading(context, ({ call }) =>
      call("actors.tree", { all, limit, ...where }),
    );
    return { data: rows, text: actorTree(rows, context) };
  },
});

const get = defineCommand<[address: string]>({
  usage: "get <address>",
  summary: "one actor: its state, its context, and what it accepts now",
  example: "actors get system",
  offline: "file",
  exits: [exitCodes.notFound],
  async work(context, [address]) {
    const found = await reading(context, ({ call }) => call("actor.get", { address }));
    return { data: found, text: actorText(found, context) };
  },
});

const send = defineCommand<[address: string, event: string, payload: string | undefined]>({
  usage: "send <address> <event> [json]",
  summary: "send an event by hand; refused unless the actor accepts it now",
  example: `actors send session/local:local:cli:owner:main/run/r7 run.cancel '{"reason":"too slow"}'`,
  exits: [exitCodes.failed, exitCodes.notFound, exitCodes.tryAgain],
  async work(context, [address, event, json]) {
    const payload = payloadOf(json);
    const sent = await asking(context, ({ call }) =>
      call("actor.send", { address, event, payload }),
    );
    if (sent.outcome !== "handled") throw notAccepted(address, event, sent.outcome);
    return {
      data: sent,
      text: `${shown(event)} was ${shown(sent.outcome)} as step ${sent.seq}; the actor is ${shown(sent.state)}.`,
    };
  },
});

export const actors: Group = {
  usage: "actors",
  summary: "every actor that lives: tree, get, send, watch; and what went wrong: dead",
  example: "actors tree",
  children: [tree, get, send, watch, dead],
};

type Payload = NonNullable<ParamsOf<"actor.send">["payload"]>;

function payloadOf(json: string | undefined): Payload {
  if (json === undefined) return {};
  const value = parsed(json);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  throw new AgentError("usage", `The payload is no JSON object: ${json}`, {
    hint: `write it as '{"reason":"too slow"}'`,
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function notAccepted(address: string, event: string, outcome: string): AgentError {
  return new AgentError("event.not_accepted", `${event} was not accepted (${outcome}).`, {
    hint: `\`statehive actors get ${address}\` shows what it takes now`,
  });
}
