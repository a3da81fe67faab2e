import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { approvalHandlers, approvalReads } from "../../src/app/api/approvals.ts";
import { auditLateAnswers } from "../../src/app/api/late-answers.ts";
import { stepApprovalHandlers, stepApprovalReads } from "../../src/app/api/step-approvals.ts";
import type { Files } from "../../src/ports/files.ts";
import { type ErrorData, toErrorData } from "../../src/schema/errors.ts";
import type { Origin } from "../../src/schema/events/event.ts";
import { methodParams, type ParamsOf, type Results } from "../../src/schema/socket/protocol.ts";
import { sessionKey } from "../../src/actors/session-key.ts";
import type { TestHive } from "../support/hive.ts";

/** People who decide approvals from their surfaces, and what was written because of it. */

type Method =
  | "approvals.list"
  | "approvals.show"
  | "approvals.decide"
  | "approvals.answer"
  | "approvals.step"
  | "approvals.decide_step";

export type Person = {
  ask<M extends Method>(method: M, params: ParamsOf<M>): Promise<Results[M]>;
  /** The refusal of what must be refused. */
  refused<M extends Method>(method: M, params: ParamsOf<M>): Promise<ErrorData>;
};

/** @param name as it stands in approvals: of a channel `tg_main:1001` */
export function personAt(hive: TestHive, origin: Origin = "cli", name: string = origin): Person {
  const { engine, clock } = hive;
  const late = auditLateAnswers(engine, clock);
  const handlers = {
    ...approvalReads(engine.read),
    ...approvalHandlers(engine, clock, late),
    ...stepApprovalReads(engine.read),
    ...stepApprovalHandlers(engine, clock, late),
  };
  const caller = {
    origin,
    name,
    notify: () => {},
    introduce: () => {},
    drained: async () => {},
    onEnd: () => () => {},
  };
  const ask: Person["ask"] = async (method, params) =>
    handlers[method](methodParams[method].parse(params) as never, caller) as never;
  return {
    ask,
    refused: async (method, params) => {
      try {
        await ask(method, params);
      } catch (thrown) {
        return toErrorData(thrown);
      }
      throw new Error(`${method} was not refused`);
    },
  };
}

/** Files that remember each write. */
export function countedFiles(): { readonly files: Files; readonly writes: string[] } {
  const files = createMemoryFiles();
  const writes: string[] = [];
  const write: Files["write"] = (path, content) => {
    writes.push(path);
    return files.write(path, content);
  };
  return { files: { ...files, write }, writes };
}

/** Where somebody talks with the agent. */
export function chatOf(
  connector_id: string,
  user_scope: string,
  conversation_scope = "-100",
): string {
  const channel_type = connector_id === "local" ? "local" : "telegram";
  return sessionKey({
    channel_type,
    connector_id,
    conversation_scope,
    user_scope,
    agent_id: "main",
  });
}
