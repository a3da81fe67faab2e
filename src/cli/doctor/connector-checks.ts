import type { HiveConfig } from "../../schema/config/config.ts";
import { nobodyApproves, nobodyMayWrite } from "../../app/records/connector-advice.ts";
import type { ConnectorTrial } from "../../app/channels/connector-trial.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

type Connector = HiveConfig["connectors"][number];

/** Whether each connector has what it needs, and, where that may be asked, whether its channel answers. */
export async function connectorChecks(patient: Patient): Promise<readonly Finding[]> {
  const { config, online } = patient;
  if (config === null || !config.ok) return [];
  const connectors = config.config.connectors.filter(({ enabled }) => enabled);
  const secrets = config.secrets().connectors;
  const trials = online && connectors.length > 0 ? await triedBy(patient) : [];
  return connectors.flatMap((connector) => [
    tokenFinding(connector, secrets.get(connector.id)?.token),
    ...trials.filter(({ id }) => id === connector.id).map(trialFinding),
    ...peopleFindings(connector),
  ]);
}

async function triedBy({ config, context }: Patient): Promise<readonly ConnectorTrial[]> {
  if (config === null || !config.ok) return [];
  const { tryConnectors } = await import("../../app/channels/connector-trial.ts");
  return tryConnectors({ ...config, deadlineMs: context.timeoutMs });
}

/** As @BotFather gives them: the bot's number, a colon, and 35 signs; other servers of the Bot API may know others. */
const telegramToken = /^\d{5,16}:[A-Za-z0-9_-]{30,64}$/;

function tokenFinding(connector: Connector, token: string | undefined): Finding {
  const check = `connector ${connector.id}`;
  if (connector.type !== "telegram") return ok(check, "webhook; its secret is set");
  const { token: reference, api_root } = connector;
  if (token === undefined)
    return warn(
      check,
      `there is no token: ${reference} is not set here; the service has the variables that it was started with`,
      "where the service has none either: set it there (docs/telegram.md), then `statehive restart`",
    );
  const isUsual = telegramToken.test(token) || !api_root.startsWith("https://api.telegram.org");
  return isUsual
    ? ok(check, `${reference} is set`)
    : warn(
        check,
        `${reference} does not look like a bot's token, \`123456789:AA…\``,
        "copy it again from @BotFather, without quotes or spaces",
      );
}

function trialFinding({ id, account, latency_ms, error }: ConnectorTrial): Finding {
  const check = `connector ${id}`;
  if (error === null) return ok(check, `answers as ${account ?? "-"} in ${latency_ms} ms`);
  const found = `${error.code}: ${error.message}`;
  const fix = error.hint ?? `\`statehive connectors test ${id}\` asks again`;
  return error.retryable ? warn(check, found, fix) : fail(check, found, fix);
}

function peopleFindings({ id, allow_users, approvers, pairing }: Connector): Finding[] {
  const check = `connector ${id}`;
  const addThem = "add their ids in config/main.yaml, then `statehive config reload`";
  return [
    ...(allow_users.length === 0 ? [warn(check, nobodyMayWrite(pairing), addThem)] : []),
    ...(approvers.length === 0 ? [warn(check, nobodyApproves, addThem)] : []),
  ];
}
