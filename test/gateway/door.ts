import { createMemoryStore, type MemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { judgeUpdates } from "../../src/gateway/judge-updates.ts";
import type { GatewaySettings, Judged } from "../../src/gateway/judged.ts";
import {
  connectorUpdateTable,
  pairingTable,
  rateBucketTable,
  type ChosenAgent,
  chosenAgentTable,
  type Pairing,
} from "../../src/schema/rows/channel-rows.ts";
import { domainTables } from "../../src/schema/rows/domain-tables.ts";
import type { InboundUpdate, InboundWhat } from "../../src/schema/inbound.ts";

/** A gateway with rows of its own: what it says of a batch is kept, as the connector keeps it. */

export const usualSettings: GatewaySettings = {
  doorway: {
    connector_id: "tg_main",
    channel_type: "telegram",
    allow_users: ["1001", "1002"],
    approvers: ["1001", "2001"],
    groups: ["-100"],
    pairing: true,
    agents: ["ops"],
  },
  per_user: { capacity: 20, refill_per_minute: 20 },
  all: { capacity: 200, refill_per_minute: 600 },
  routing: { default_agent: "main", bindings: [] },
};

export type Door = {
  readonly store: MemoryStore;
  readonly settings: GatewaySettings;
  at: number;
  /** Judged, and kept. */
  judge(...updates: InboundUpdate[]): Judged;
  choose(row: Omit<ChosenAgent, "at" | "connector_id">): void;
  decide(user: string, state: Pairing["state"]): void;
};

export function openDoor(settings: GatewaySettings = usualSettings): Door {
  const store = createMemoryStore({ tables: domainTables, strict: true });
  const written = (write: () => void) => {
    store.begin();
    write();
    void store.commit();
  };
  const door: Door = {
    store,
    settings,
    at: 1_000_000,
    judge(...updates) {
      const judged = judgeUpdates(store, settings, { updates, at: door.at });
      written(() => {
        for (const row of judged.updates) store.put(connectorUpdateTable, row);
        for (const row of judged.buckets) store.put(rateBucketTable, row);
        for (const row of judged.pairings) store.put(pairingTable, row);
      });
      return judged;
    },
    choose(row) {
      const { connector_id } = settings.doorway;
      written(() => store.put(chosenAgentTable, { connector_id, at: door.at, ...row }));
    },
    decide(user, state) {
      const key = [settings.doorway.connector_id, user];
      written(() => store.patch(pairingTable, key, { state }));
    },
  };
  return door;
}

let updates = 0;

/** In private, of the user with this number, under an update id of its own. */
export function from(user: string, what: InboundWhat): InboundUpdate {
  updates += 1;
  return {
    update_id: `u${updates}`,
    conversation: { kind: "private", chat: user, scope: user },
    sender: { id: user, name: `@user${user}`, is_bot: false },
    what,
  };
}

export function inGroup(
  user: string,
  what: InboundWhat,
  chat = "-100",
  name = `@user${user}`,
): InboundUpdate {
  const conversation = { kind: "group", chat, scope: chat } as const;
  return { ...from(user, what), conversation, sender: { id: user, name, is_bot: false } };
}

export function message(
  text: string,
  more: Partial<InboundWhat & { kind: "message" }> = {},
): InboundWhat & { kind: "message" } {
  return {
    kind: "message",
    message_id: "7",
    text,
    command: null,
    is_addressed: false,
    is_forwarded: false,
    attachments: [],
    album_id: null,
    reply_to: null,
    quoted: null,
    ...more,
  };
}

export const tap: InboundWhat = { kind: "button", message_id: "8", data: "o:a1:00", tap_id: "t1" };

export function command(name: string, args = ""): InboundWhat {
  return message(`/${name} ${args}`.trim(), { command: { name, args } });
}

export function verdicts({ updates: rows }: Judged): string[] {
  return rows.map(({ verdict }) => verdict);
}
