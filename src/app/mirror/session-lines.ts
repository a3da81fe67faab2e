import { z } from "zod";
import type { Message, Session } from "../../schema/rows/session-rows.ts";
import { escapedJson } from "../../text/escaped-json.ts";
import { iso } from "../records/shown.ts";

/** The lines of a session's file: the first says which conversation it is, each other one is a message. */

export function headingLine(session: Session): string {
  const { session_id, key, agent_id, created_at } = session;
  return lineOf({ type: "session", session_id, agent_id, key, created_at: iso(created_at) });
}

export function messageLine({ position, at, role, run_id, content }: Message): string {
  return lineOf({ type: "message", position, at: iso(at), role, run_id, content });
}

function lineOf(value: object): string {
  return `${escapedJson(JSON.stringify(value))}\n`;
}

const ownLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session"), session_id: z.string() }),
  z.object({ type: z.literal("message"), position: z.int(), at: z.string() }),
]);
export type OwnLine = z.output<typeof ownLine>;

/** Undefined for a line of anybody else. */
export function readLine(line: string): OwnLine | undefined {
  try {
    return ownLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
