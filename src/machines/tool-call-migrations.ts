import type { JsonObject } from "../schema/json.ts";
import { noTrust } from "../schema/contexts.ts";

/** The context of a tool call of version 1 as that of version 2: nothing was said of where things came from, and no grant was
 *  bound to more than its pattern. */
export function toolCallContextFrom1(context: JsonObject): JsonObject {
  const verdict = context["verdict"] as JsonObject | null;
  return {
    ...context,
    trust: noTrust,
    verdict: verdict === null ? null : { ...verdict, pin: null, terms: "", brings: noTrust },
  };
}
