import { callBinding } from "../../policy/call-binding.ts";
import { fromBefore } from "../../policy/origins.ts";
import type { JsonObject } from "../../schema/json.ts";

/** The context of a tool call of version 1 as that of version 2: nobody noted where things came from, no grant was bound to
 *  more than its pattern, nobody but the owner was asked, and the run and step were not in the binding. */
export function toolCallContextFrom1(context: JsonObject): JsonObject {
  const verdict = context["verdict"] as JsonObject | null;
  return {
    ...context,
    trust: fromBefore,
    verdict: verdict === null ? null : verdictFrom1(context, verdict),
  };
}

type Placed = { readonly task_id: string; readonly run_id: string; readonly step_id: string };

function verdictFrom1(context: JsonObject, verdict: JsonObject): JsonObject {
  const binding = callBinding(context as Placed, verdict["binding"] as string);
  return { ...verdict, pin: null, terms: "", brings: fromBefore, approvers: [], binding };
}
