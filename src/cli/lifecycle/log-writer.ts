import type { CommandContext } from "../command-context.ts";

/** Where the service's log goes: stderr, which is a file when the service runs in the background. A person at a terminal
 *  is only told what is wrong, unless they ask for more. */
export function logWriter({ terminal, verbose }: CommandContext): (line: string) => void {
  const { stderr } = terminal;
  const onlyTrouble = stderr.isTTY === true && !verbose;
  return (line) => {
    if (onlyTrouble && !/"level":"(?:warn|error)"/.test(line)) return;
    stderr.write(line.endsWith("\n") ? line : `${line}\n`);
  };
}

/** The one place where a stack belongs: the service's own log. */
export function faultLine(fault: unknown, now: number): string {
  const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  const time = new Date(now).toISOString();
  return JSON.stringify({
    time,
    level: "error",
    message: "a fault ends the service",
    fields: { stack },
  });
}
