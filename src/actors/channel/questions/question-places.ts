import { isPrivate } from "../../../policy/session-place.ts";
import type { Approval } from "../../../schema/rows/permission-rows.ts";
import type { SessionPlace } from "../../../schema/session-place.ts";
import { placeIn } from "../../session-key.ts";
import { userNamed } from "../../../policy/person-name.ts";

/** Where a question is put to people. */
export type Asked = {
  /** The conversation that it came from. */
  readonly home: SessionPlace;
  /** The ids there of all who may decide. */
  readonly deciders: readonly string[];
  readonly mayDecideAtHome: boolean;
  /** Private chats of those who may decide, where nobody at home may. */
  readonly elsewhere: readonly string[];
};

const mostElsewhere = 5;

export function askedIn({ address, approvers }: Approval): Asked {
  const [, key = ""] = address.split("/");
  const home = placeIn(key);
  const deciders = approvers.flatMap((one) => userNamed(one, home.connector_id) ?? []);
  const mayDecideAtHome = deciders.length > 0 && someoneAtHome(home, deciders);
  const elsewhere = mayDecideAtHome ? [] : privateChats(home, deciders);
  return { home, deciders, mayDecideAtHome, elsewhere };
}

/** In a private chat its person must be one; in a group whoever is. */
function someoneAtHome(home: SessionPlace, deciders: readonly string[]): boolean {
  return deciders.includes(home.user_scope) || !isPrivate(home);
}

/** On Telegram a person's private chat has the person's id; of other channels nothing is known. */
export function privateChats(
  { channel_type }: Pick<SessionPlace, "channel_type">,
  users: readonly string[],
): readonly string[] {
  return channel_type === "telegram" ? users.slice(0, mostElsewhere) : [];
}
