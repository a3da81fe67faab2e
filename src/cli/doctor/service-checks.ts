import { existsSync } from "node:fs";
import { connect } from "../../client/connection.ts";
import { longestSocketPath } from "../../config/run-paths.ts";
import { type ErrorData, toErrorData } from "../../schema/errors.ts";
import { readLivingProcess } from "../lifecycle/pid-file.ts";
import { readVersion } from "../lifecycle/version.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import { lockHolder } from "./lock-holder.ts";
import type { Patient } from "./patient.ts";

/** Whether the service runs, answers, is of this version, and what one that ended has left. */
export async function serviceChecks({ config, context }: Patient): Promise<readonly Finding[]> {
  if (config === null) return [];
  const { paths } = context;
  const holder = lockHolder(paths.lock);
  return [
    await runningFinding(context, holder),
    ...pidFindings(paths.pid),
    socketPathFinding(paths),
  ];
}

type Where = Patient["context"];

/** Nobody waits longer for a report about everything else. */
const longestSilenceMs = 3_000;

async function runningFinding(context: Where, holder: number | null): Promise<Finding> {
  const answer = await askHello(context);
  if ("version" in answer) return answersFinding(answer);
  if (answer.code === "service.not_running") return silentFinding(context, holder);
  const who = holder === null ? "" : ` (pid ${holder})`;
  return fail(
    "service",
    `it is there${who}, but does not answer: ${answer.message}`,
    answer.hint ?? "`statehive stop --force` ends it; nothing that was accepted is lost",
  );
}

type Hello = { readonly version: string; readonly pid: number };

async function askHello({ paths, timeoutMs }: Where): Promise<Hello | ErrorData> {
  try {
    const patience = Math.min(timeoutMs, longestSilenceMs);
    const connection = await connect({ socketPath: paths.socket, timeoutMs: patience });
    try {
      const { version, pid } = await connection.call("status", {});
      return { version, pid };
    } finally {
      connection.close();
    }
  } catch (error) {
    return toErrorData(error);
  }
}

function answersFinding({ version, pid }: Hello): Finding {
  const mine = readVersion();
  if (version === mine) return ok("service", `runs (pid ${pid}), version ${version}`);
  return warn(
    "service",
    `runs (pid ${pid}) with version ${version}; this command is ${mine}`,
    "`statehive restart` takes up the installed version",
  );
}

function silentFinding({ paths }: Where, holder: number | null): Finding {
  if (holder !== null)
    return fail(
      "service",
      `the process ${holder} holds the home, but listens on no socket`,
      "wait until it has started or stopped; else `statehive stop --force`",
    );
  if (!existsSync(paths.socket)) return ok("service", "does not run; `statehive start` starts it");
  return warn(
    "service",
    `does not run, and has left the socket ${paths.socket} behind`,
    "`statehive start` takes its place; nothing that was accepted is lost",
  );
}

function pidFindings(path: string): readonly Finding[] {
  if (!existsSync(path) || readLivingProcess(path) !== null) return [];
  return [
    warn(
      "pid file",
      `${path} names a process that has ended: the service was killed`,
      "`statehive start` goes on where it was",
    ),
  ];
}

function socketPathFinding({ socket }: Where["paths"]): Finding {
  const length = Buffer.byteLength(socket);
  if (length <= longestSocketPath)
    return ok("socket path", `${length} of ${longestSocketPath} bytes`);
  return fail(
    "socket path",
    `${socket} has ${length} bytes; the kernel takes ${longestSocketPath}`,
    "choose a shorter home, or set XDG_RUNTIME_DIR to a shorter directory",
  );
}
