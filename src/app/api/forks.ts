import { createHash, randomUUID } from "node:crypto";
import { sessionAddress, sessionKey } from "../../actors/session-key.ts";
import { actorTable, idempotencyTable, journalTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ParsedParams } from "../../schema/socket/protocol.ts";
import type { ForkedRun } from "../../schema/shown/replay.ts";
import type { Run } from "../../schema/rows/run-rows.ts";
import { carriedUntil } from "../fork/carried.ts";
import { foundationOf } from "../fork/foundation.ts";
import { boundaryOf, noesFor } from "../fork/limits-kept.ts";
import { trustThen } from "../fork/trust-then.ts";
import { findRun, newestSession } from "../records/find.ts";
import { isWithin } from "../replay/recorded-run.ts";
import { refuseWhenStopping } from "../root.ts";
import { addressee, placeOf } from "./addressee.ts";
import type { Caller, Handlers } from "./caller.ts";
import { type ChatOptions, deliverMessage } from "./chat.ts";
import { noSuchStep } from "./replays.ts";

/** Going on from a step of the past in another way, in a session of its own: the run that it is taken from stays as it is. */
export function forkHandlers(options: ChatOptions): Handlers<"runs.fork"> {
  return { "runs.fork": (params, caller) => forkRun(options, params, caller) };
}

/** The history and the message are committed together: a crash leaves a whole fork, or none. */
async function forkRun(
  options: ChatOptions,
  params: ParsedParams<"runs.fork">,
  caller: Caller,
): Promise<ForkedRun> {
  const { read } = options.engine;
  const { id, at, text, chat } = params;
  await refuseWhenStopping(options.engine);
  const run = await findRun(read, id);
  await refuseUnlessStepOf(run, read, at);
  const fork = `fork ${id} ${at} ${params.idempotency_key ?? randomUUID()}`;
  const name = nameOf(fork, params);
  const place = placeOf({ session: name }, caller);
  const { id: agent_id } = addressee(options, { agent: run.agent_id }, place);
  const carried = await carriedUntil(read, run, at);
  const key = sessionKey({ ...place, agent_id });
  await refuseWhereTaken(read, sessionAddress(key), fork);
  const boundary = await boundaryOf(read, run);
  const noes = await noesFor(read, run);
  const saying = {
    key,
    agent_id,
    event: { type: "message.received", text, ...(boundary === undefined ? {} : { boundary }) },
    chat,
    idempotency_key: fork,
    trust: await trustThen(read, run, { at, carried }),
    bornWith: foundationOf({
      address: sessionAddress(key),
      run,
      at,
      carried,
      noes,
      by: caller.name,
    }),
  };
  const { address, trace, seq } = await deliverMessage(options, saying, caller);
  const session = await newestSession(read, key);
  if (session === undefined) throw keyTaken(params.idempotency_key ?? "");
  return {
    session_id: session.session_id,
    address,
    agent_id,
    session: name,
    run_id: `r${seq}`,
    trace_id: trace,
    forked_from: { run_id: id, at },
    messages: carried.messages.length + carried.endings.length,
    cut_calls: carried.endings.length,
    is_shortened: carried.isShortened,
  };
}

/** @throws AgentError step.not_found */
async function refuseUnlessStepOf(run: Run, read: CommittedReader, at: number): Promise<void> {
  const step = await read.get(journalTable, at);
  if (step !== undefined && isWithin(run.address, step.address)) return;
  throw await noSuchStep(read, run, at);
}

/** A conversation that somebody began under the fork's name has another history: nothing is said there.
 *  @throws AgentError usage */
async function refuseWhereTaken(
  read: CommittedReader,
  address: string,
  fork: string,
): Promise<void> {
  const actor = await read.get(actorTable, address);
  const isLiving = actor?.status === "active" || actor?.status === "quarantined";
  if (!isLiving || (await read.get(idempotencyTable, fork)) !== undefined) return;
  throw new AgentError("usage", `${address} is a conversation already, and no fork.`, {
    hint: "fork with another idempotency key, or with none",
  });
}

function keyTaken(key: string): AgentError {
  return new AgentError("usage", `The idempotency key ${key} stands for something else.`, {
    hint: "fork with another one, or with none",
  });
}

/** Forked twice from one step, these are two conversations. */
function nameOf(fork: string, { id, at }: ParsedParams<"runs.fork">): string {
  const own = createHash("sha256").update(fork).digest("hex").slice(0, 8);
  return `fork-${id}-${at}-${own}`;
}
