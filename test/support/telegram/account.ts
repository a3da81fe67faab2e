import { createFaultScript, type FaultScript } from "./faults.ts";
import type { Entity } from "./html-text.ts";
import { createUpdateQueue, type UpdateQueue } from "./update-queue.ts";
import type { Params } from "./wire.ts";
import type { World } from "./world.ts";

/** One bot: what it was told, what it did, and what goes wrong with it. */

export type Button = { readonly label: string; readonly data: string };

export type Version = {
  readonly text: string;
  /** As it was written: HTML, or the text itself. */
  readonly source: string;
  readonly entities: readonly Entity[];
  readonly buttons: readonly (readonly Button[])[];
  readonly at: number;
};

/** A message of the bot's; `text` and the like are as of its last edit. */
export type BotMessage = Version & {
  readonly message_id: number;
  readonly chat_id: number;
  readonly thread_id: number | undefined;
  readonly reply_to: number | undefined;
  readonly wants_reply: boolean;
  readonly document: { readonly name: string; readonly text: string } | undefined;
  /** All it ever said; the first as it was sent. */
  readonly versions: readonly Version[];
  readonly is_deleted: boolean;
};

export type BotDraft = {
  readonly chat_id: number;
  readonly draft_id: number;
  readonly text: string;
  readonly can_stop: boolean;
  readonly at: number;
};

/** A request to the Bot API. `answered`: the status, once an answer has gone out. */
export type TelegramCall = {
  readonly method: string;
  readonly params: Params;
  readonly at: number;
  answered: number | undefined;
};

export type HeldFile = {
  readonly path: string;
  /** What getFile says; the bytes may be others. */
  readonly size: number | undefined;
  /** What the download's header says; undefined: nothing, the bytes come in chunks. */
  readonly length: number | undefined;
  readonly bytes: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
};

export type Account = {
  readonly token: string;
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly world: World;
  readonly updates: UpdateQueue;
  readonly faults: FaultScript;
  readonly calls: TelegramCall[];
  readonly sent: BotMessage[];
  readonly drafts: BotDraft[];
  readonly files: Map<string, HeldFile>;
  /** Taps that wait for an answer, and the word that each got. */
  readonly openTaps: Set<string>;
  readonly tapAnswers: Map<string, { readonly text: string; readonly at: number }>;
  webhook: { readonly url: string; readonly secret: string | undefined } | undefined;
  commands: readonly { readonly command: string; readonly description: string }[];
};

export type BotProfile = {
  readonly id?: number;
  readonly name?: string;
  readonly username?: string;
};

export function createAccount(token: string, profile: BotProfile, world: World): Account {
  const id = profile.id ?? Number(token.split(":")[0]);
  if (!Number.isSafeInteger(id)) throw new Error(`"${token}" is no bot token: <number>:<secret>.`);
  return {
    token,
    id,
    name: profile.name ?? "Statehive",
    username: profile.username ?? `statehive_${id}_bot`,
    world,
    updates: createUpdateQueue(),
    faults: createFaultScript(),
    calls: [],
    sent: [],
    drafts: [],
    files: new Map(),
    openTaps: new Set(),
    tapAnswers: new Map(),
    webhook: undefined,
    commands: [],
  };
}
