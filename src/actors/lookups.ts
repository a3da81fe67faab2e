import type { Lookup } from "../engine/engine.ts";
import type { RowReader } from "../ports/store.ts";
import { longestText } from "../schema/queue.ts";
import { agentConfigTable, runTable, slotTable } from "../schema/run-rows.ts";
import { type InboxMessage, inboxTable } from "../schema/session-rows.ts";
import { idIn } from "./address.ts";
import { approversOf, type Connector } from "./approvers.ts";
import type { Agents } from "./agent.ts";
import type { JudgedCall, Judge } from "./judge-call.ts";

export type LookupParts = {
  readonly judge: Judge;
  readonly agents: Agents;
  readonly connectors: () => readonly Connector[];
  readonly maxConcurrentRuns: () => number;
};

/** The named reads of the machines: each is answered from what is true inside the transaction. */
export function createLookups({ judge, agents, connectors, maxConcurrentRuns }: LookupParts): {
  readonly [name: string]: Lookup;
} {
  return {
    judgeCall: (read, args, { at }) => {
      const call = args as unknown as JudgedCall;
      const given = judge(read, call, at);
      const about = given.verdict === "question" ? "question" : "permission";
      const approvers = approversOf(connectors(), call.session_address, about);
      return [{ to: "self", event: { type: "verdict.given", ...given, approvers } }];
    },
    grantSlots: (read) => {
      const holding = read.select(slotTable, {
        index: "by_state",
        equals: ["holding"],
        limit: maxConcurrentRuns(),
      });
      const room = maxConcurrentRuns() - holding.length;
      if (room <= 0) return [];
      return read
        .select(slotTable, { index: "by_state", equals: ["waiting"], limit: room })
        .map(({ address }) => ({
          to: address,
          event: { type: "slot.granted", pin: pinFor(agents, read, address) },
        }));
    },
    nextInboxMessage: (read, { session_address }) => {
      const [first, ...others] = nextMessages(read, session_address as string);
      if (first === undefined) return [];
      const { seq, trace, at } = first;
      const text = [first, ...others].map((message) => message.text).join(paragraph);
      return [
        { to: "self", event: { type: "inbox.taken", seq, text, trace, at } },
        ...others.map((other) => ({
          to: "self",
          event: { type: "inbox.joined", seq: other.seq, trace: other.trace, run_trace: trace },
        })),
      ];
    },
    steeredMessages: (read, { run_id, limit }) =>
      read
        .select(inboxTable, {
          index: "by_run",
          equals: [run_id as string],
          limit: limit as number,
        })
        .map(({ seq, text, trace }) => ({
          to: "self",
          event: { type: "inbox.handed", seq, text, trace },
        })),
  };
}

const paragraph = "\n\n";

/** The message whose turn it is, and those that are collected with it, as many as make a text of permitted length. */
function nextMessages(read: RowReader, owner: string): readonly InboxMessage[] {
  const [first] = read.select(inboxTable, { index: "by_owner", equals: [owner], limit: 1 });
  if (first === undefined || first.mode !== "collect") return first === undefined ? [] : [first];
  const waiting = read.select(inboxTable, { index: "by_mode", equals: [owner, "collect"] });
  let length = -paragraph.length;
  const tooLong = waiting.findIndex(({ text }) => {
    length += paragraph.length + text.length;
    return length > longestText;
  });
  return tooLong < 0 ? waiting : waiting.slice(0, Math.max(1, tooLong));
}

/** What the run's agent is configured as in this very transaction. */
function pinFor(agents: Agents, read: RowReader, address: string) {
  const agent = agents.get(read.get(runTable, idIn(address))?.agent_id ?? "");
  if (agent === undefined) return null;
  const { configHash: hash, limits, policy } = agent;
  const is_new = read.get(agentConfigTable, hash) === undefined;
  return { hash, is_new, limits, boundary: [...policy.boundary] };
}
