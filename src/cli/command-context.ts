import type { Connection } from "../client/connection.ts";
import { resolveHome } from "../config/home.ts";
import { type RunPaths, runPaths } from "../config/run-paths.ts";
import type { GlobalOptions } from "./global-options.ts";
import { forHome } from "./output/hints.ts";
import { printLine } from "./output/print-answer.ts";
import { type Style, styleFor } from "./output/style.ts";
import type { Terminal } from "./terminal.ts";

/** What every command is given. */
export type CommandContext = {
  readonly terminal: Terminal;
  readonly home: string;
  readonly paths: RunPaths;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly timeoutMs: number;
  /** For stdout. */
  readonly style: Style;
  /** For stderr. */
  readonly noteStyle: Style;
  /** Columns of stdout's terminal; undefined where it is none. */
  readonly width: number | undefined;
  readonly now: number;
  /** Adds --home to the commands that a text names, if it was given. */
  forThisHome(text: string): string;
  /** A line for people on stderr; silent with --quiet. */
  note(line: string): void;
  /** The same, only with --verbose. */
  detail(line: string): void;
};

/** @throws AgentError usage, home.invalid */
export function createContext(terminal: Terminal, options: GlobalOptions): CommandContext {
  const { env, homedir, stdout, stderr } = terminal;
  const { json, color, quiet, verbose, timeoutMs } = options;
  const home = resolveHome({ flag: options.home, env, homedir });
  return {
    terminal,
    home,
    paths: runPaths(home, env),
    json,
    quiet,
    verbose,
    timeoutMs,
    style: styleFor({ output: stdout, env, color }),
    noteStyle: styleFor({ output: stderr, env, color }),
    width: stdout.isTTY === true ? stdout.columns : undefined,
    now: terminal.now(),
    forThisHome: (text) => forHome(text, options.home),
    note: (line) => void (quiet || printLine(stderr, forHome(line, options.home))),
    detail: (line) => void (verbose && !quiet && printLine(stderr, line)),
  };
}

/** One request and its answer over a connection of its own.
 *  @throws AgentError service.not_running, service.not_answering, and what the service throws */
export async function asking<T>(
  context: CommandContext,
  ask: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(context);
  try {
    return await ask(connection);
  } finally {
    connection.close();
  }
}

export async function openConnection(context: CommandContext): Promise<Connection> {
  const { connect } = await import("../client/connection.ts");
  context.detail(`connecting to ${context.paths.socket}`);
  return connect({ socketPath: context.paths.socket, timeoutMs: context.timeoutMs });
}
