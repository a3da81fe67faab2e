import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatFault } from "../../config/config-fault.ts";
import { AgentError, toErrorData } from "../../schema/errors.ts";
import type { ServiceStatus } from "../../schema/socket/protocol.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "./checked-config.ts";
import { shown } from "../../text/shown.ts";
import { ensureHome } from "./ensure-home.ts";
import { openStderrFile, readTail, type StderrFile } from "./stderr-file.ts";
import { waitUntil } from "./wait-until.ts";

export type Started = { readonly alreadyRan: boolean; readonly status: ServiceStatus };

const readyWithinMs = 30_000;

/** Starts the service of this home unless it runs, and waits until it answers.
 *  @throws AgentError home.invalid, service.not_answering, service.start_failed, config.invalid */
export async function startService(context: CommandContext): Promise<Started> {
  ensureHome(context);
  const running = await askStatus(context);
  if (running !== undefined) return { alreadyRan: true, status: running };
  const { warnings } = await checkedConfig(context);
  for (const warning of warnings) context.note(shown(formatFault(warning)));
  const stderr = openStderrFile(context.paths.stderr);
  try {
    return await startAndWait(context, stderr);
  } finally {
    closeSync(stderr.descriptor);
  }
}

async function startAndWait(context: CommandContext, stderr: StderrFile): Promise<Started> {
  const child = spawnService(context, stderr);
  const ready = await waitUntil(async () => {
    const status = await askStatus(context);
    return status ?? (hasEnded(child) ? "ended" : undefined);
  }, readyWithinMs);
  if (ready === "ended") return othersOrFailure(context, child, stderr);
  if (ready !== undefined) return { alreadyRan: ready.pid !== child.pid, status: ready };
  throw new AgentError("service.not_answering", "The service was started but does not answer.", {
    hint: `its log: ${context.paths.log}; \`statehive stop --force\` ends it`,
    details: { log: readTail(stderr) },
  });
}

function spawnService({ home, terminal }: CommandContext, stderr: StderrFile): ChildProcess {
  const isSource = import.meta.url.endsWith(".ts");
  const main = fileURLToPath(new URL(isSource ? "../main.ts" : "../main.js", import.meta.url));
  const words = [...process.execArgv, main, "serve", "--background", "--home", home];
  const child = spawn(process.execPath, words, {
    cwd: home,
    detached: true,
    env: { ...terminal.env },
    stdio: ["ignore", stderr.descriptor, stderr.descriptor],
  });
  child.once("error", () => undefined);
  child.unref();
  return child;
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Of several starts at once one wins the home; the others wait for the winner. */
async function othersOrFailure(
  context: CommandContext,
  child: ChildProcess,
  stderr: StderrFile,
): Promise<Started> {
  const lostTheRace = child.exitCode === exitCodes.tryAgain;
  const status = await waitUntil(() => askStatus(context), lostTheRace ? readyWithinMs : 0);
  if (status !== undefined) return { alreadyRan: true, status };
  throw startFailure(context, child, readTail(stderr));
}

function startFailure(
  { paths }: CommandContext,
  { exitCode }: ChildProcess,
  tail: readonly string[],
): AgentError {
  const isConfig = exitCode === exitCodes.configInvalid;
  return new AgentError(
    isConfig ? "config.invalid" : "service.start_failed",
    ["The service did not start. The end of its log:", ...tail].join("\n"),
    {
      hint: isConfig
        ? "mend it, then `statehive config validate` checks again"
        : `the whole log: ${paths.log}`,
      details: { exit_code: exitCode ?? exitCodes.failed, log: tail },
    },
  );
}

/** Undefined when no service runs. @throws AgentError service.not_answering */
async function askStatus(context: CommandContext): Promise<ServiceStatus | undefined> {
  try {
    return await asking(context, (connection) => connection.call("status", {}));
  } catch (error) {
    if (toErrorData(error).code === "service.not_running") return undefined;
    throw error;
  }
}
