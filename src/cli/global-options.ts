import { type Command, InvalidArgumentError, Option } from "commander";

/** The options of every command, taken before as well as after its name. */
export type GlobalOptions = {
  readonly home?: string;
  readonly json: boolean;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly timeoutMs: number;
};

const globalOptionsHeading = "Options of every command:";
const defaultTimeoutMs = 10_000;

export function globalOptions(): readonly Option[] {
  return [
    new Option("--home <dir>", "the home (default: $STATEHIVE_HOME, else ~/.statehive)"),
    new Option("--json", "print one JSON object on stdout (streams: one event a line)"),
    new Option("--no-color", "no colours"),
    new Option("-q, --quiet", "no notes on stderr, only errors"),
    new Option("-v, --verbose", "more notes on stderr"),
    new Option("--timeout <ms>", "how long to wait for an answer of the service")
      .argParser(positiveInteger)
      .hideHelp(),
  ];
}

export function addGlobalOptions(command: Command): void {
  for (const option of globalOptions()) command.addOption(option.helpGroup(globalOptionsHeading));
  command.addHelpOption(new Option("-h, --help", "this help").helpGroup(globalOptionsHeading));
}

/** The nearest to the command wins. */
export function globalOptionsOf(command: Command): GlobalOptions {
  const chain: Command[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) chain.push(at);
  const given = chain.map((at) => at.opts<Partial<GlobalOptions> & { timeout?: number }>());
  const home = given.find((options) => options.home !== undefined)?.home;
  return {
    ...(home === undefined ? {} : { home }),
    json: given.some((options) => options.json === true),
    color: given.every((options) => options.color !== false),
    quiet: given.some((options) => options.quiet === true),
    verbose: given.some((options) => options.verbose === true),
    timeoutMs: given.find((options) => options.timeout !== undefined)?.timeout ?? defaultTimeoutMs,
  };
}

export function positiveInteger(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It is no whole number above 0.");
}
