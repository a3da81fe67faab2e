import { type Command, CommanderError } from "commander";
import { nearest } from "../config/nearest.ts";
import { AgentError } from "../schema/errors.ts";
import { answerCompletion, completionRequest } from "./completion/answer-completion.ts";
import { createContext } from "./command-context.ts";
import { bare } from "./commands/bare.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { globalOptionsOf } from "./global-options.ts";
import { asAgentError, printData, printFailure, printLine } from "./output/print-answer.ts";
import { buildProgram, type Perform } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/** Runs one command line. @returns the exit code */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (argv[0] === completionRequest) {
    await answerCompletion(argv.slice(1), terminal);
    return exitCodes.ok;
  }
  return runCommand(argv, terminal);
}

async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.ok;
  let json = wantsJson(argv);
  let homeFlag: string | undefined;
  const perform: Perform = async (leaf, args, command) => {
    const options = globalOptionsOf(command);
    ({ json, home: homeFlag } = options);
    const context = createContext(terminal, options);
    const answer = await leaf.work(context, args, command.opts());
    exitCode = answer.exitCode ?? exitCodes.ok;
    if ("streamed" in answer) return;
    if (json) printData(terminal.stdout, answer.data);
    else if (answer.text !== "") {
      printLine(terminal.stdout, context.forThisHome(answer.text));
    }
  };
  const program = buildProgram(perform, bare);
  speakThrough(program, terminal, json);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return exitCodes.ok;
    const error =
      thrown instanceof CommanderError ? usageError(thrown, program) : asAgentError(thrown);
    printFailure(terminal, error, { json, homeFlag });
    return exitCodeOf(error);
  }
}

function speakThrough(program: Command, terminal: Terminal, json: boolean): void {
  const settle = (command: Command) => {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => void (json || terminal.stderr.write(text)),
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(terminal.stdout.columns ?? 100, 120),
      getErrHelpWidth: () => Math.min(terminal.stderr.columns ?? 100, 120),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
    command.commands.forEach(settle);
  };
  settle(program);
}

function usageError(thrown: CommanderError, program: Command): AgentError {
  const names = program.commands.map((command) => command.name());
  const [wanted] = program.args;
  if (
    thrown.code === "commander.excessArguments" &&
    wanted !== undefined &&
    !names.includes(wanted)
  ) {
    const meant = nearest(wanted, names);
    return new AgentError("usage", `There is no command '${wanted}'.`, {
      hint: meant === undefined ? "`statehive --help` lists them" : `Did you mean ${meant}?`,
    });
  }
  if (thrown.code === "commander.help") {
    return new AgentError("usage", "A command is missing.", { hint: "see the list above" });
  }
  const [first = "", ...more] = thrown.message.replace(/^error: /, "").split("\n");
  const suggestion = more.join(" ").replaceAll(/[()]/g, "").trim();
  return new AgentError("usage", first, {
    hint: suggestion === "" ? "`--help` shows what can be said" : suggestion,
  });
}

/** Known before anything is parsed, so that a wrong command line is told as asked, too. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? undefined : end).includes("--json");
}
