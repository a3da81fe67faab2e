import type { CommandContext } from "../command-context.ts";

/** Where the log of a service in the foreground goes beside its file. A person at a terminal is only told what is wrong, unless
 *  they ask for more. */
export function logWriter({ terminal, verbose }: CommandContext): (line: string) => void {
  const { stderr } = terminal;
  const onlyTrouble = stderr.isTTY === true && !verbose;
  return (line) => {
    if (onlyTrouble && !/"level":"(?:warn|error)"/.test(line)) return;
    stderr.write(line.endsWith("\n") ? line : `${line}\n`);
  };
}

export const faultMessage = "a fault ends the service";

/** A record of a fault that came before there was a log. */
export function faultLine(fault: unknown, now: number): string {
  const time = new Date(now).toISOString();
  return JSON.stringify({ level: "error", time, stack: stackOf(fault), message: faultMessage });
}

/** The one place where a stack belongs: the service's own log. */
export function stackOf(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
