import type { HiveConfig } from "../../schema/config/config.ts";
import type { ErrorData } from "../../schema/errors.ts";

/** What a person should know, or do, about a connector. */

type Standing = {
  readonly id: string;
  readonly state: string;
  readonly error: ErrorData | null;
};

/** Undone, it receives nothing; null: it receives, or will by itself, or a person wanted it so. */
export function connectorNeed({ id, state, error }: Standing): string | null {
  const again = `then \`statehive connectors start ${id}\``;
  switch (state) {
    case "unauthorized":
      return `set its token right (\`statehive connectors test ${id}\` tries it), then \`statehive restart\``;
    case "conflict":
      return "stop the other program that receives for the same account";
    case "stopped":
      return stoppedNeed(error, again);
    case "set_aside":
      return `look at \`statehive actors get connector/${id}\`, then \`statehive restart\``;
    default:
      return null;
  }
}

function stoppedNeed(error: ErrorData | null, again: string): string | null {
  if (error === null) return null;
  return error.code === "channel.conflict"
    ? `it gave way: stop the other program that receives for the same account, ${again}`
    : `mend what the channel refuses, ${again}`;
}

type Connector = HiveConfig["connectors"][number];

const privacyMode =
  "in groups a bot in privacy mode sees only commands and replies to its messages: turn it off with /setprivacy at @BotFather, then add the bot to the group again";

export function connectorRemarks(
  { type, allow_users, approvers, groups, pairing }: Connector,
  { paired }: { readonly paired: number },
): string[] {
  const isEmpty = allow_users.length === 0 && paired === 0;
  return [
    ...(isEmpty ? [nobodyMayWrite(pairing)] : []),
    ...(approvers.length === 0 ? [nobodyApproves] : []),
    ...(type === "telegram" && groups.length > 0 ? [privacyMode] : []),
  ];
}

export const nobodyApproves =
  "`approvers` is empty: what agents ask is decided at this machine alone";

export function nobodyMayWrite(pairing: boolean): string {
  return pairing
    ? "`allow_users` is empty: only those may write whom you let in (`statehive pair approve CODE`)"
    : "`allow_users` is empty and `pairing` is off: nobody may write";
}
