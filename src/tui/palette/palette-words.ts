import type { JsonObject } from "../../schema/json.ts";
import { own, type SafeText } from "../frame/safe-text.ts";

/** What was typed behind a command, taken apart. */

type Poke = { readonly event: string; readonly payload: JsonObject };

/** `run.cancel {"reason": "too slow"}` */
export function readPayload(text: string): Poke | { readonly fault: SafeText } {
  const [, event = "", json = ""] = /^(\S+)\s*(.*)$/su.exec(text) ?? [];
  if (json === "") return { event, payload: {} };
  const payload = parsed(json);
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
  if (!isObject) return { fault: own`behind the event stands a JSON object: {"reason": "slow"}` };
  return { event, payload: payload as JsonObject };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

type Fork = { readonly id: string; readonly at: number; readonly text: string };

/** `r7 41 and now in French` */
export function readFork(text: string): Fork | undefined {
  const [, id, at, said] = /^(\S+)\s+(\d{1,15})\s+(.+)$/su.exec(text) ?? [];
  if (id === undefined || at === undefined || said === undefined) return undefined;
  return { id, at: Number(at), text: said };
}
