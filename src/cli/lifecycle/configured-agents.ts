import { toErrorData } from "../../schema/errors.ts";
import type { Results } from "../../schema/socket/protocol.ts";
import type { ShownAgent } from "../../schema/shown/shown.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { checkedConfig } from "./checked-config.ts";

export type ConfiguredAgents = {
  readonly list: readonly ShownAgent[];
  /** @throws AgentError agent.not_found */
  show(id: string): Promise<Results["agents.show"]>;
};

/** As the running service has them; where none answers, as they stand on disk.
 *  @throws AgentError home.invalid, config.invalid */
export async function configuredAgents(context: CommandContext): Promise<ConfiguredAgents> {
  try {
    const list = await asking(context, ({ call }) => call("agents.list", {}));
    return { list, show: (id) => asking(context, ({ call }) => call("agents.show", { id })) };
  } catch (thrown) {
    if (!toErrorData(thrown).code.startsWith("service.")) throw thrown;
  }
  const loaded = await checkedConfig(context);
  const { listAgents, showAgent } = await import("../../app/agents/agent-list.ts");
  const { answeringBy } = await import("../../app/models/providers.ts");
  const configured = { now: () => loaded.config, models: answeringBy(loaded).models };
  context.detail("no service answers; this is the configuration on disk");
  return {
    list: listAgents(configured),
    show: async (id) => ({ ...showAgent(configured, id), budgets: null }),
  };
}
