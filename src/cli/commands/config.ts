import { Option } from "commander";
import type { ConfigFileKind } from "../../config/json-schema.ts";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";
import { settingLines } from "../output/setting-lines.ts";
import { shownLines } from "../../text/shown.ts";
import { reload } from "./config-reload.ts";

const validate = defineCommand({
  usage: "validate",
  summary: "list everything that is wrong with the configuration; exits with 78",
  example: "config validate",
  offline: "same",
  exits: [exitCodes.configInvalid],
  async work(context) {
    const { home } = context;
    const loaded = await checkedConfig(context);
    const { config, sources, warnings } = loaded;
    const { unpricedBudgets } = await import("../../app/models/unpriced-budgets.ts");
    const unpriced = unpricedBudgets(loaded);
    const { formatFault } = await import("../../config/config-fault.ts");
    const agents = config.agents.map(({ id }) => id);
    const valid = `The configuration in ${home} is valid: ${sources.length} files, agents: ${agents.join(", ")}.`;
    return {
      data: { home, files: sources, agents, warnings, unpriced },
      text: shownLines(
        [valid, ...warnings.map(formatFault), ...unpriced.map(({ message }) => message)].join("\n"),
      ),
    };
  },
});

const show = defineCommand<[], { readonly origin?: boolean }>({
  usage: "show",
  summary: "the configuration with every default filled in and no secret",
  example: "config show --origin",
  offline: "same",
  exits: [exitCodes.configInvalid],
  options: [new Option("--origin", "each setting with the line or variable that sets it")],
  async work(context, _args, { origin }) {
    const { config: found, settings } = await checkedConfig(context);
    if (origin === true) return { data: settings(), text: settingLines(settings()) };
    const { showConfig } = await import("../../config/show-config.ts");
    const { stringify } = await import("yaml");
    const data = showConfig(found);
    return { data, text: shownLines(stringify(data).trimEnd()) };
  },
});

/** Written out, so that no command loads the shapes for it. */
const fileKinds: readonly ConfigFileKind[] = ["main", "agent", "provider", "routing", "schedules"];

const schema = defineCommand<[], { readonly file?: ConfigFileKind }>({
  usage: "schema",
  summary: "the JSON schema of the configuration files, for editors and other programs",
  example: "config schema --file agent",
  offline: "same",
  options: [new Option("--file <kind>", "of one kind of file alone").choices(fileKinds)],
  async work(_context, _args, { file }) {
    const { configFileKinds, configSchema } = await import("../../config/json-schema.ts");
    const data =
      file === undefined
        ? Object.fromEntries(configFileKinds.map((kind) => [kind, configSchema(kind)]))
        : configSchema(file);
    return { data, text: JSON.stringify(data, null, 2) };
  },
});

export const config: Group = {
  usage: "config",
  summary: "the configuration: validate, show, schema, reload",
  example: "config validate",
  children: [validate, show, schema, reload],
};
