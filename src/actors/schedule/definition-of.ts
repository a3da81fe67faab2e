import { sessionKey } from "../session-key.ts";
import type { ScheduleConfig } from "../../schema/config/config.ts";
import { noTrust } from "../../schema/contexts/trust.ts";
import type { ScheduleDefinition } from "../../schema/schedule.ts";

/** What stands in schedules.yaml, as its actor keeps it. @param localZone the region that this machine's clock hangs in */
export function definitionOf(config: ScheduleConfig, localZone: string): ScheduleDefinition {
  const { cron, timezone } = config;
  const zone = timezone === "local" ? localZone : timezone;
  return { cron, timezone, zone, work: workOf(config) };
}

/** The owner's own task, at this machine's own surfaces: there its questions are asked, and `chat -s schedule:ID` goes on with it. */
function workOf({ id, command, agent, task, deliver }: ScheduleConfig): ScheduleDefinition["work"] {
  if (command !== undefined) return { kind: "command", command };
  const agent_id = agent ?? "";
  return {
    kind: "task",
    agent_id,
    text: task ?? "",
    session_key: sessionKey({
      channel_type: "local",
      connector_id: "local",
      conversation_scope: `schedule:${id}`,
      user_scope: "owner",
      agent_id,
    }),
    boundary: null,
    trust: noTrust,
    deliver: deliver ?? null,
  };
}
