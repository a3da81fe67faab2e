import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Results } from "../../schema/socket/protocol.ts";
import type { ChatFeed } from "../chat/chat-feed.ts";
import type { NewsBus } from "../news/news.ts";
import type { Sidecar } from "../news/sidecar.ts";
import type { LiveConfig } from "../config/live-config.ts";
import { actorHandlers } from "./actors.ts";
import { approvalHandlers } from "./approvals.ts";
import type { Api } from "./caller.ts";
import { cancelHandlers } from "./cancels.ts";
import { compactionHandlers } from "./compactions.ts";
import { addresseeHandlers } from "./addressee.ts";
import { chatHandlers, sessionRules } from "./chat.ts";
import { connectorHandlers } from "./connectors.ts";
import { configHandlers } from "./config.ts";
import { deliveryHandlers } from "./deliveries.ts";
import { eventHandlers } from "./events.ts";
import { forkHandlers } from "./forks.ts";
import { grantHandlers } from "./grants.ts";
import type { MemoryDesk } from "../memory/desk/memory-desk.ts";
import { memoryHandlers } from "./memory-changes.ts";
import { markHandlers } from "./marks.ts";
import { inspectHandlers } from "./inspect.ts";
import { auditLateAnswers } from "./late-answers.ts";
import { logHandlers } from "./logs.ts";
import { pairingHandlers } from "./pairings.ts";
import { createBudgetsOf } from "../records/budgets-of.ts";
import { auditPokes } from "./poke-audit.ts";
import { createReadApi } from "./read-api.ts";
import { scheduleHandlers } from "./schedules.ts";
import { stepApprovalHandlers } from "./step-approvals.ts";
import { statusHandlers } from "./status.ts";

export type ApiOptions = {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly bus: NewsBus;
  readonly sidecar: Sidecar;
  readonly logFile: { readonly path: string; readonly lost: number };
  readonly feed: ChatFeed;
  readonly live: LiveConfig;
  /** Takes out every secret that this process knows. */
  readonly redact: <T>(value: T) => T;
  readonly version: string;
  readonly startedAt: number;
  readonly shutdown: (graceMs: number) => void;
  /** Rejects with AgentError memory.unavailable. */
  readonly memory: () => Promise<MemoryDesk>;
  readonly backUp: (file: string) => Promise<Results["backup"]>;
};

/** All that can be asked of a running service. */
export function createApi(options: ApiOptions): Api {
  const { engine, clock, bus, sidecar, logFile, feed, live, memory } = options;
  const budgetSource = { config: () => live.now(), now: () => clock.now() };
  const addressing = { agents: live.agents, routing: () => live.now().routing };
  const chat = { ...addressing, engine, feed, sessions: () => sessionRules(live.now()) };
  const pokes = auditPokes(options);
  const late = auditLateAnswers(engine, clock);
  return {
    ...statusHandlers(options),
    ...configHandlers(live, createBudgetsOf(engine.read, budgetSource)),
    backup: ({ file }) => options.backUp(file),
    ...actorHandlers({ engine, bus, clock, pokes }),
    ...inspectHandlers(options),
    ...approvalHandlers(engine, clock, late),
    ...stepApprovalHandlers(engine, clock, late),
    ...grantHandlers(engine),
    ...markHandlers(engine, live.agents),
    ...cancelHandlers({ engine, clock, pokes }),
    ...compactionHandlers(engine),
    ...connectorHandlers(engine, budgetSource),
    ...pairingHandlers(engine, budgetSource.now),
    ...deliveryHandlers(engine),
    ...scheduleHandlers(engine, budgetSource),
    ...createReadApi(engine.read, { ...budgetSource, memory }),
    ...memoryHandlers(memory),
    ...eventHandlers(bus, sidecar.stream),
    ...logHandlers({ path: logFile.path, clock }),
    ...addresseeHandlers(addressing, live),
    ...chatHandlers(chat),
    ...forkHandlers(chat),
  };
}
