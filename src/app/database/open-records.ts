import { fileURLToPath } from "node:url";
import { createSystemClock } from "../../adapters/clock/system-clock.ts";
import { openReadOnly } from "../../adapters/engine/open-read-only.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { AgentError } from "../../schema/errors.ts";
import {
  methodParams,
  type ParamsOf,
  type ParsedParams,
  type ReadMethod,
  type Results,
} from "../../schema/socket/protocol.ts";
import type { Caller } from "../api/caller.ts";
import { createReadApi } from "../api/read-api.ts";
import { memorySettings } from "../../memory/settings.ts";
import { openMemoryAtRest } from "../memory/memory-at-rest.ts";
import { allTables } from "../hive-engine.ts";

/** What a home has on record, asked without its service, by the service's own methods. */
export type Records = {
  readonly file: string;
  call<M extends ReadMethod>(method: M, params: ParamsOf<M>): Promise<Results[M]>;
  close(): Promise<void>;
};

const nobody: Caller = {
  origin: "cli",
  name: "cli",
  introduce: () => {},
  notify: () => {},
  drained: async () => {},
  onEnd: () => () => {},
};

/** @throws AgentError service.not_running (the engine keeps no file here), file.not_found, store.newer, store.corrupt,
 *  store.unavailable */
export async function openRecords(config: HiveConfig): Promise<Records> {
  const { type, url } = config.engine;
  if (type === "memory" || !url.startsWith("file:")) throw noFile(type === "memory" ? type : url);
  const { committed, close } = await openReadOnly({ url, tables: allTables });
  const memory = openMemoryAtRest(config.home, committed, memorySettings(config.memory));
  const now = createSystemClock().now;
  const api = createReadApi(committed, { config: () => config, now, memory: memory.reads });
  return {
    file: fileURLToPath(url),
    call: (method, params) => {
      const parsed = methodParams[method].parse(params) as ParsedParams<typeof method>;
      return api[method](parsed, nobody);
    },
    close: async () => {
      await memory.close();
      await close();
    },
  };
}

function noFile(engine: string): AgentError {
  const message = `No service runs for this home, and its engine (${engine}) keeps no file to read instead.`;
  return new AgentError("service.not_running", message, { hint: "`statehive start` starts one" });
}
