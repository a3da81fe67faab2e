import type { JsonObject } from "../schema/json.ts";
import { hashOf } from "./canonical-json.ts";

/** What a permission is bound to, as a hash: exactly this call of this step of this run, and what else decides what it does. */

export type BoundCall = {
  readonly agent_id: string;
  readonly session_address: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly step_id: string | undefined;
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
};

/** @param bound arguments, directory, environment, mounts, contents of files: whatever the tool says */
export function bindingOf(call: BoundCall, bound?: JsonObject): string {
  const { agent_id, session_address, call_id, tool, input } = call;
  const asked = { agent_id, session_address, call_id, tool, input };
  return callBinding(call, hashOf(bound === undefined ? asked : { ...asked, bound }));
}

type Place = Pick<BoundCall, "task_id" | "run_id" | "step_id">;

/** @param asked the hash of what is asked: the whole binding in the first version, whose queued calls name no step */
export function callBinding({ task_id, run_id, step_id }: Place, asked: string): string {
  return step_id === undefined ? asked : hashOf({ task_id, run_id, step_id, asked });
}
