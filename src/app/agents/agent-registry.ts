import { realpath } from "node:fs/promises";
import type { Agent, Agents } from "../../actors/agent.ts";
import { createLinuxFiles } from "../../adapters/files/linux-files.ts";
import type { ModelRegistry } from "../../adapters/model/registry.ts";
import { createBubblewrapSandbox } from "../../adapters/sandbox/bubblewrap.ts";
import { type Bubblewrap, detectBubblewrap } from "../../adapters/sandbox/detect-bubblewrap.ts";
import { createUnconfinedSandbox } from "../../adapters/sandbox/unconfined.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import type { AgentConfig, HiveConfig } from "../../schema/config/config.ts";
import { agentSettings, restoredConfig } from "./agent-settings.ts";

/** The configured agents, each with its files opened below its own workspace; all of them are replaced at once. */
export type AgentRegistry = Agents & {
  /** Makes ready what the agents need. Nothing changes until the answer is called; then all of it does, between two steps.
   *  @throws AgentError home.invalid: a workspace cannot be used */
  prepare(config: Pick<HiveConfig, "agents" | "shell">): Promise<() => void>;
};

export function createAgentRegistry(models: ModelRegistry): AgentRegistry {
  let agents: ReadonlyMap<string, Placed> = new Map();
  const findBubblewrap = bubblewrapFinder();
  return {
    get: (id) => agents.get(id),
    restore: (json) => {
      const config = restoredConfig(json);
      return config === undefined ? undefined : agentSettings(config, models);
    },
    async prepare(config) {
      const commands = { bubblewrap: await findBubblewrap(config.agents), shell: config.shell };
      const next = new Map<string, Placed>();
      for (const agent of config.agents) {
        const { id, enabled, workspace } = agent;
        const place = samePlace(agents.get(id), workspace, commands);
        const { files, sandbox } = place ?? (await openPlace(workspace, commands));
        next.set(id, { ...agentSettings(agent, models), enabled, files, sandbox, commands });
      }
      return () => {
        agents = next;
      };
    },
  };
}

type Placed = Agent & { readonly commands: Commands };

/** A workspace that stays keeps its sandbox: a new one would end what it takes for leftovers of a service that has died. */
function samePlace(
  present: Placed | undefined,
  workspace: string,
  { bubblewrap, shell }: Commands,
): Placed | undefined {
  if (present?.workspace !== workspace) return undefined;
  const { commands } = present;
  const isSame =
    commands.bubblewrap.ok === bubblewrap.ok && commands.shell.unconfined === shell.unconfined;
  return isSame ? present : undefined;
}

type Commands = { readonly bubblewrap: Bubblewrap; readonly shell: HiveConfig["shell"] };

async function openPlace(
  workspace: string,
  commands: Commands,
): Promise<Pick<Agent, "files" | "sandbox">> {
  const files = await createLinuxFiles({ root: workspace });
  return { files, sandbox: sandboxFor(await realpath(workspace), commands) };
}

function sandboxFor(workspace: string, { bubblewrap, shell }: Commands): Sandbox {
  if (!bubblewrap.ok && shell.unconfined === "ask") return createUnconfinedSandbox(workspace);
  return createBubblewrapSandbox({ workspace, bubblewrap });
}

/** Looked for only where somebody may use it, and again at each reload until it is there. */
function bubblewrapFinder(): (agents: readonly AgentConfig[]) => Promise<Bubblewrap> {
  let found: Bubblewrap = { ok: false, reason: "No agent may use shell_exec." };
  return async (agents) => {
    const isWanted = agents.some(({ tools }) => tools.allow.includes("shell_exec"));
    if (isWanted && !found.ok) found = await detectBubblewrap();
    return found;
  };
}
