import type { Lookup } from "../engine/engine.ts";
import { narrowed } from "../policy/delegation.ts";
import type { AgentPolicy } from "../policy/verdict.ts";
import type { RowReader } from "../ports/store.ts";
import type { EventData } from "../schema/events/event.ts";
import { approvalTable, grantTable } from "../schema/rows/permission-rows.ts";
import { agentConfigTable, runTable, slotTable, taskTable } from "../schema/rows/run-rows.ts";
import { inboxTable } from "../schema/rows/session-rows.ts";
import { idIn } from "./address.ts";
import { type CompactionParts, createCompactionDue } from "./compaction/compaction-due.ts";
import { createEpisodeDue } from "./compaction/episode-due.ts";
import { createNextInboxMessage } from "./next-message.ts";
import { announcements } from "./channel/sending/announce.ts";
import type { Channels } from "./channel/channels.ts";
import { createHandMessage, tellLostFiles } from "./channel/files/hand-message.ts";
import { createIntake } from "./channel/intake/intake.ts";
import { grantNextTurn, grantTurn } from "./channel/sending/lanes.ts";
import { createFindPairing } from "./channel/pairings.ts";
import { questionAnnouncements } from "./channel/questions/questions.ts";
import { aboutUndelivered } from "./channel/sending/resend.ts";
import type { Calendar } from "../ports/calendar.ts";
import { approversOf, type Connector } from "./approvers.ts";
import type { Agents } from "./agent.ts";
import type { JudgedCall, Judge } from "./judge-call.ts";
import { createScheduleLookups } from "./schedule/lookups.ts";
import { partitionsToConsolidate } from "./schedule/partitions.ts";

export type LookupParts = {
  readonly calendar: Calendar;
  readonly channels: Channels;
  readonly judge: Judge;
  readonly agents: Agents;
  readonly connectors: () => readonly Connector[];
  readonly maxConcurrentRuns: () => number;
  readonly compaction: CompactionParts;
};

/** The named reads of the machines: each is answered from what is true inside the transaction. */
export function createLookups(parts: LookupParts): { readonly [name: string]: Lookup } {
  const { judge, agents, connectors, channels, maxConcurrentRuns } = parts;
  return {
    ...announcements,
    ...questionAnnouncements,
    findPairing: createFindPairing(channels),
    ...aboutUndelivered,
    judgeUpdates: createIntake({ channels, agents }),
    ...createScheduleLookups(parts),
    partitionsToConsolidate,
    handMessage: createHandMessage({ channels, agents }),
    tellLostFiles,
    grantTurn,
    grantNextTurn,
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
    episodeDue: createEpisodeDue({ agents, ...parts.compaction }),
    compactionDue: createCompactionDue(parts.compaction),
    nextInboxMessage: createNextInboxMessage(parts.compaction),
    findGrant,
    steeredMessages,
  };
}

const steeredMessages: Lookup = (read, { run_id, limit }) =>
  read
    .select(inboxTable, { index: "by_run", equals: [run_id as string], limit: limit as number })
    .map(({ seq, text, trace }) => ({
      to: "self",
      event: { type: "inbox.handed", seq, text, trace },
    }));

/** One of this session: what it covers, and what was asked when it was given. */
const findGrant: Lookup = (read, { grant_id, session_address, by }) => {
  const grant = read.get(grantTable, grant_id as string);
  if (grant === undefined || grant.session_address !== session_address) return [];
  const { tool, capability, scope, approval_id } = grant;
  const asked = read.get(approvalTable, approval_id);
  const { run_id = "", step_id = "", trace_id = "" } = asked ?? {};
  const found = { grant_id, by, tool, capability, scope, run_id, step_id, trace_id };
  return [{ to: "self", event: { type: "grant.found", ...found } as EventData }];
};

/** What the run's agent is configured as in this very transaction. */
function pinFor(agents: Agents, read: RowReader, address: string) {
  const run = read.get(runTable, idIn(address));
  const agent = agents.get(run?.agent_id ?? "");
  if (run === undefined || agent === undefined) return null;
  const { configHash: hash, limits, policy } = agent;
  const is_new = read.get(agentConfigTable, hash) === undefined;
  const asked = read.get(taskTable, run.task_id)?.boundary ?? [];
  return { hash, is_new, limits, boundary: [...boundaryWithin(policy, asked)] };
}

/** Of what was asked for when the message came, only what the agent may do now: its configuration may have changed since. */
function boundaryWithin(policy: AgentPolicy, asked: readonly string[]): readonly string[] {
  if (asked.length === 0) return policy.boundary;
  return asked.filter((pattern) => narrowed(policy, { boundary: [pattern] }).ok);
}
