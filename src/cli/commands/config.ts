import { AgentError } from "../../schema/errors.ts";
import { isHome } from "../../config/home.ts";
import { defineCommand, type Group } from "../command.ts";
import type { CommandContext } from "../command-context.ts";
import { shown, shownLines } from "../output/shown.ts";

const validate = defineCommand({
  usage: "validate",
  summary: "list everything that is wrong with the configuration; exits with 78",
  example: "config validate",
  async work(context) {
    const { home, config, sources } = await loaded(context);
    const agents = config.agents.map(({ id }) => id);
    return {
      data: { home, files: sources, agents },
      text: `The configuration in ${shown(home)} is valid: ${sources.length} files, agents: ${shown(agents.join(", "))}.`,
    };
  },
});

const show = defineCommand({
  usage: "show",
  summary: "the configuration with every default filled in and no secret",
  example: "config show --json",
  async work(context) {
    const { config: found } = await loaded(context);
    const { showConfig } = await import("../../config/show-config.ts");
    const { stringify } = await import("yaml");
    const data = showConfig(found);
    return { data, text: shownLines(stringify(data).trimEnd()) };
  },
});

export const config: Group = {
  usage: "config",
  summary: "the configuration: validate, show",
  example: "config validate",
  children: [validate, show],
};

async function loaded({ home, terminal }: CommandContext) {
  if (!isHome(home)) {
    throw new AgentError("home.invalid", `${home} is no home: it has no config folder.`, {
      hint: "`statehive init` makes one",
    });
  }
  const { loadConfig } = await import("../../config/load-config.ts");
  const { formatFault } = await import("../../config/config-fault.ts");
  const result = loadConfig(home, terminal.env);
  if (result.ok) return { home, config: result.config, sources: result.sources };
  const { faults } = result;
  const lines = faults.map(formatFault);
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  throw new AgentError("config.invalid", [`The configuration has ${count}:`, ...lines].join("\n"), {
    hint: "mend them; nothing starts or changes until then",
    details: { faults: faults.map((fault) => ({ ...fault })) },
  });
}
