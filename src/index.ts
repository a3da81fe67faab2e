export { AgentError, errorCodes, type ErrorCode, type ErrorData } from "./schema/errors.ts";
export type * from "./schema/llm.ts";
export type * from "./schema/tool.ts";
export type * from "./schema/effect.ts";
export type * from "./schema/events/event.ts";
export type * from "./schema/rows/audit-rows.ts";
export type * from "./schema/rows/model-rows.ts";
export type * from "./schema/rows/permission-rows.ts";
export type * from "./schema/rows/run-rows.ts";
export type * from "./schema/rows/session-rows.ts";
export type * from "./schema/rows/table.ts";
export { eventRegistry } from "./schema/events/events.ts";

export type { ModelCall, ModelDelta, ModelProvider } from "./ports/model.ts";
export type { Clock } from "./ports/clock.ts";
export type { Log } from "./ports/log.ts";
export type { CommittedReader, RowReader, RowStore, RowWriter } from "./ports/store.ts";

export { createEngine } from "./engine/create-engine.ts";
export type * from "./engine/engine.ts";
export type {
  ActivityContext,
  ActivityKind,
  ActivityKinds,
} from "./engine/activities/activity-kind.ts";
export {
  createMachineRegistry,
  type MachineEntry,
  type MachineRegistry,
} from "./engine/machine-registry.ts";
export { engineTables } from "./engine/tables.ts";
export { toMermaid } from "./engine/charts/chart-mermaid.ts";

export { approvalMachine } from "./machines/approval/approval.machine.ts";
export { runMachine } from "./machines/run/run.machine.ts";
export { sessionMachine } from "./machines/session/session.machine.ts";
export { systemMachine } from "./machines/system/system.machine.ts";
export { toolCallMachine } from "./machines/tool-call/tool-call.machine.ts";

export { createMemoryStore } from "./adapters/engine/memory-store.ts";
export { openLibsqlStore } from "./adapters/engine/open-libsql.ts";
export { backup } from "./adapters/engine/libsql-backup.ts";
export { createBuiltinEmbedder } from "./adapters/embedder/builtin-embedder.ts";
export { createAnthropicProvider } from "./adapters/model/anthropic.ts";
export { createOfflineProvider } from "./adapters/model/offline/offline-provider.ts";
export { createSystemClock } from "./adapters/clock/system-clock.ts";
export { createSimulatedClock } from "./adapters/clock/simulated-clock.ts";

export {
  createMemoryIndex,
  type CreateMemoryIndexOptions,
  type TextIndex,
  type TextSearch,
} from "./library/memory-index.ts";
export type { IndexedText, TextHit } from "./library/text-collection.ts";
export type { Embedder, EmbeddingInput } from "./ports/embedder.ts";
export type { IndexStats } from "./ports/memory-index.ts";
