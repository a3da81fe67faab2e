import { defineCommand, type Group } from "../command.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { shown, shownLines } from "../output/shown.ts";

const validate = defineCommand({
  usage: "validate",
  summary: "list everything that is wrong with the configuration; exits with 78",
  example: "config validate",
  async work(context) {
    const { home } = context;
    const { config, sources } = await checkedConfig(context);
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
    const { config: found } = await checkedConfig(context);
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
