import { createHash } from "node:crypto";
import type { InboundUpdate } from "../../../schema/inbound.ts";
import type { IntakeProtocol, Reading } from "../http/intake-route.ts";

/** How Telegram calls a bot's webhook. It brings what is not answered with 200 again and again, and nothing after it meanwhile: what
 *  cannot be read is taken as unreadable, and counted like any other.
 *  @param read undefined before the bot knows its own name */
export function telegramIntake(read: (body: unknown) => InboundUpdate | undefined): IntakeProtocol {
  return {
    secretIn: (headers) => {
      const secret = headers["x-telegram-bot-api-secret-token"];
      return typeof secret === "string" ? secret : "";
    },
    read: (bytes) => {
      const value = parsed(bytes);
      if (value === undefined) return unreadable(bytes, "It is not JSON.");
      const update = read(value);
      return update === undefined ? { kind: "early" } : { kind: "updates", updates: [update] };
    },
    readTooLong: (bytes) => unreadable(bytes, "It is longer than 1 MiB."),
    thanks: "",
    repeatsForEver: true,
  };
}

/** Undefined: it is no JSON. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

function unreadable(bytes: Uint8Array, reason: string): Reading {
  const update_id = `unread-${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;
  const what = { kind: "unreadable", reason } as const;
  return { kind: "updates", updates: [{ update_id, conversation: null, sender: null, what }] };
}
