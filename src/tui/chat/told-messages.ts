import type { ShownMessage } from "../../schema/socket/protocol.ts";

/** Which of the stored messages a transcript has shown: what came since, from whomever, is told apart from them. */
export class ToldMessages {
  private readonly runs = new Set<string>();
  private newest = "";

  /** Whether a run that began then may have messages that were not shown. */
  lacks(run: string, began: string): boolean {
    return began > this.newest && !this.runs.has(run);
  }

  /** @returns those of the runs that were not shown yet */
  take(messages: readonly ShownMessage[], runs: readonly string[]): ShownMessage[] {
    const untold = runs.filter((run) => !this.runs.has(run));
    this.add(messages, untold);
    return messages.filter((message) => untold.includes(message.run_id));
  }

  add(messages: readonly ShownMessage[], runs: readonly string[] = []): void {
    for (const run of [...runs, ...messages.map(({ run_id }) => run_id)]) this.runs.add(run);
    const last = messages.at(-1)?.at ?? "";
    if (last > this.newest) this.newest = last;
  }
}
