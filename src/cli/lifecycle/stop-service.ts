import { AgentError, toErrorData } from "../../schema/errors.ts";
import { errnoOf } from "../../schema/errno.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { readLivingProcess } from "./pid-file.ts";
import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";
import { waitUntil } from "./wait-until.ts";

export type Stopped = {
  /** The process that was stopped; null when none ran. */
  readonly pid: number | null;
  readonly killed: boolean;
};

const usualGraceMs = 5_000;
/** Beyond the grace: writing the last rows and closing the database. */
const closingMs = 10_000;
const killedWithinMs = 5_000;

/** Lets what runs end, then waits until the process has gone.
 *  @throws AgentError service.not_answering when it does not go and `force` is false */
export async function stopService(
  context: CommandContext,
  { force = false, graceMs = force ? 0 : usualGraceMs }: StopOptions = {},
): Promise<Stopped> {
  const asked = await askShutdown(context, { force, graceMs });
  if (asked === null) return { pid: null, killed: false };
  const waitMs = force ? killedWithinMs : graceMs + closingMs;
  const { living, answered, working } = asked;
  if (working > 0 && !force) context.note(waitText(working, graceMs));
  if (answered && (await hasGone(living, waitMs))) return { pid: living.pid, killed: false };
  if (!force) throw stillThere(living);
  signal(living, "SIGKILL");
  await hasGone(living, killedWithinMs);
  return { pid: living.pid, killed: true };
}

export type StopOptions = {
  /** Ends it at once, and kills it if it does not go. */
  readonly force?: boolean;
  /** How long what runs may take to end. */
  readonly graceMs?: number;
};

export function stillWorking(runs: number): string {
  return runs === 1 ? "1 run still works" : `${runs} runs still work`;
}

function waitText(working: number, graceMs: number): string {
  const seconds = Math.ceil(graceMs / 1_000);
  return `${stillWorking(working)}: waiting for at most ${seconds} s; \`statehive stop --force\` ends it at once`;
}

type Asked = {
  readonly living: ProcessIdentity;
  readonly answered: boolean;
  readonly working: number;
};

/** Null when no service runs. */
async function askShutdown(
  context: CommandContext,
  { force, graceMs }: Required<StopOptions>,
): Promise<Asked | null> {
  try {
    return await asking(context, async (connection) => {
      const { pid } = await connection.call("status", {});
      const identity = identify(pid) ?? { pid, started: null };
      const { working } = await connection.call("shutdown", { grace_ms: graceMs });
      return { living: identity, answered: true, working };
    });
  } catch (error) {
    return silentProcess(context, error, force);
  }
}

/** What is known of a service that did not answer: its pid file. */
function silentProcess(context: CommandContext, error: unknown, force: boolean): Asked | null {
  const { code } = toErrorData(error);
  const living = readLivingProcess(context.paths.pid);
  if (code === "service.not_running") {
    return living === null ? null : { living, answered: !force, working: 0 };
  }
  if (code === "service.other_version" && living !== null) {
    signal(living, "SIGTERM");
    return { living, answered: true, working: 0 };
  }
  if (code !== "service.not_answering") throw error;
  if (force && living !== null) return { living, answered: false, working: 0 };
  throw new AgentError("service.not_answering", "The service does not answer.", {
    cause: error,
    hint: "`statehive stop --force` kills it; nothing that was accepted is lost",
  });
}

async function hasGone(living: ProcessIdentity, withinMs: number): Promise<boolean> {
  return (await waitUntil(() => (isAlive(living) ? undefined : true), withinMs)) === true;
}

function signal({ pid }: ProcessIdentity, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errnoOf(error) === "ESRCH") return;
    throw error;
  }
}

function stillThere({ pid }: ProcessIdentity): AgentError {
  return new AgentError("service.not_answering", `The service (pid ${pid}) is still stopping.`, {
    hint: "`statehive stop --force` kills it; nothing that was accepted is lost",
  });
}
