import { createJsonLog } from "../../adapters/log/json-log.ts";
import { type LogFile, openLogFile } from "../../adapters/log/log-file.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { MainConfig } from "../../schema/config/config.ts";

export type LoggingOptions = {
  readonly path: string;
  readonly settings: MainConfig["logs"];
  readonly clock: Clock;
  readonly redact: <T>(value: T) => T;
  /** Takes each line beside the file. */
  readonly write: (line: string) => void;
};

export type Logging = { readonly log: Log; readonly logFile: LogFile };

/** The service's log: one record goes to the file, which rotates, and to whoever watches the process. */
export function openLogging({ path, settings, clock, redact, write }: LoggingOptions): Logging {
  const { level, max_bytes, files } = settings;
  const logOver = (take: (line: string) => void) =>
    createJsonLog({ write: take, redact, level, clock });
  const beside = logOver(write);
  const onTrouble = (message: string) => beside("error", message);
  const logFile = openLogFile({ path, maxBytes: max_bytes, files, clock, onTrouble });
  const log = logOver((line) => {
    logFile.write(line);
    write(line);
  });
  return { log, logFile };
}
