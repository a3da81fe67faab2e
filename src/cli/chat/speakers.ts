import type { ShownAgent } from "../../schema/shown/shown.ts";
import { shown } from "../../text/shown.ts";

/** What people see before what an agent says. */
export function speakerOf({ emoji, name }: Pick<ShownAgent, "emoji" | "name">): string {
  return shown(emoji === null ? name : `${emoji} ${name}`);
}

/** The names of those who speak in a chat. */
export class Speakers {
  private readonly list: () => Promise<readonly ShownAgent[]>;
  private names: ReadonlyMap<string, string>;

  /** @param list asked when somebody speaks who was not heard of yet */
  constructor(first: ShownAgent, list: () => Promise<readonly ShownAgent[]>) {
    this.list = list;
    this.names = namesOf([first]);
  }

  /** An agent that was removed meanwhile keeps its id for a name. */
  nameOf(id: string): string {
    return this.names.get(id) ?? shown(id);
  }

  async meet(id: string): Promise<void> {
    if (!this.names.has(id)) await this.refresh();
  }

  /** What cannot be asked now keeps the names that it had. */
  async refresh(): Promise<void> {
    const found = await this.list().catch(() => []);
    this.names = new Map([...this.names, ...namesOf(found)]);
  }
}

function namesOf(agents: readonly ShownAgent[]): ReadonlyMap<string, string> {
  return new Map(agents.map((agent) => [agent.id, speakerOf(agent)]));
}
