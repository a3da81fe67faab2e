import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";

/** A call in the words in which it is judged, first by the policy and once more as its activity starts. */
export function judgedCall(context: ToolCallContext) {
  const { agent_id, session_address, task_id, run_id, step_id, trust, call } = context;
  const { id: call_id, name: tool, input } = call;
  return { agent_id, session_address, task_id, run_id, step_id, call_id, tool, input, trust };
}
