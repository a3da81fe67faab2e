import type { IntakeProtocol } from "../http/intake-route.ts";
import { readPosted } from "./inbound-message.ts";

/** How a webhook connector is called: with a bearer token, a message at a time. */
export const webhookIntake: IntakeProtocol = {
  secretIn: ({ authorization = "" }) => /^Bearer ([!-~]+)$/i.exec(authorization)?.[1] ?? "",
  read: readPosted,
  readTooLong: () => ({ kind: "unreadable", reason: "The body is longer than 1 MiB." }),
  thanks: `${JSON.stringify({ taken: true })}\n`,
  repeatsForEver: false,
};
