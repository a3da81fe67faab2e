import type { RunningService } from "../../server/run-service.ts";
import { streamed, type Streamed } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { asAgentError, printData, printLine } from "../output/print-answer.ts";
import { offlineAdvice, whoAnswers } from "../output/who-answers.ts";
import { isInteractive, type StopSignal } from "../terminal.ts";
import { ensureHome } from "./ensure-home.ts";
import { removePidFile, writePidFile } from "./pid-file.ts";
import { faultLine, faultMessage, logWriter, stackOf } from "./log-writer.ts";
import { stillWorking } from "./stop-service.ts";
import { readVersion } from "./version.ts";

const graceMs = 5_000;
const signalNumbers: { readonly [signal in StopSignal]: number } = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGTERM: 15,
};

export type ServeOptions = {
  /** Nobody reads stderr: the log goes to its file alone. */
  readonly background: boolean;
};

/** @throws AgentError as `runService` */
export async function serveInForeground(
  context: CommandContext,
  { background }: ServeOptions = { background: false },
): Promise<Streamed> {
  const { terminal, home, paths } = context;
  ensureHome(context);
  const { runService } = await import("../../server/run-service.ts");
  const signals = heedSignals(context);
  const writeLog = logWriter(context);
  let tellFault = (fault: unknown) => writeLog(faultLine(fault, terminal.now()));
  terminal.onFault((fault) => tellFault(fault));
  const service = await runService({
    home,
    env: terminal.env,
    version: readVersion(),
    writeLog: background ? () => undefined : writeLog,
  });
  tellFault = (fault) => service.log("error", faultMessage, { stack: stackOf(fault) });
  writePidFile(paths.pid);
  signals.serves(service);
  tellReady(context, service);
  await service.stopped;
  removePidFile(paths.pid);
  context.note("statehive has stopped");
  return streamed(exitCodes.ok);
}

type Signals = { serves(service: RunningService): void };

/** The first signal stops gracefully, also one that came before the service was there; the second ends the process. SIGHUP
 *  reads the configuration again, but on a terminal it means that the terminal has gone. */
function heedSignals({ terminal, note }: CommandContext): Signals {
  let running: RunningService | undefined;
  let wanted = false;
  const isAttached = isInteractive(terminal);
  terminal.onSignal((signal) => {
    if (signal === "SIGHUP" && !isAttached) return void reload(running, note);
    if (wanted) terminal.exit(128 + signalNumbers[signal]);
    wanted = true;
    const waits = waitingText(running?.working() ?? 0);
    note(`${signal}: stopping${waits}; once more ends it at once`);
    void running?.stop(graceMs);
  });
  return {
    serves(service) {
      running = service;
      if (wanted) void service.stop(graceMs);
    },
  };
}

function waitingText(working: number): string {
  return working === 0 ? "" : `, ${stillWorking(working)}`;
}

/** What changed is in the log; one that comes before the service is there changes nothing that is not read anyway. */
async function reload(service: RunningService | undefined, note: (line: string) => void) {
  try {
    await service?.reload("SIGHUP");
  } catch (thrown) {
    note(`SIGHUP: nothing has changed: ${asAgentError(thrown).message}`);
  }
}

function tellReady({ terminal, json, home, note }: CommandContext, service: RunningService): void {
  const { socketPath, model } = service;
  const advice = offlineAdvice(model);
  printLine(
    terminal.stderr,
    `statehive is ready (pid ${process.pid}): it listens on ${socketPath}; ${whoAnswers(model)} answers`,
  );
  if (advice !== "") note(advice);
  if (json) printData(terminal.stdout, { pid: process.pid, home, socket: socketPath, model });
}
