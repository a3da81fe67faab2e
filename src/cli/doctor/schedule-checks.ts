import { needsSomebody } from "../../app/records/shown-schedule.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ShownSchedule } from "../../schema/shown/shown-schedules.ts";
import { moment } from "../../text/times.ts";
import { whatIsWrong } from "../output/schedule-text.ts";
import { type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

/** What is done at set times: which is due next, and those that failed last time or were set aside. Read from the file, also beside
 *  a service that does not answer. */
export async function scheduleChecks({ config }: Patient): Promise<readonly Finding[]> {
  if (config === null || !config.ok) return [];
  const schedules = await onRecord(config.config);
  return schedules === undefined ? [] : scheduleFindings(schedules);
}

/** @returns undefined where the file is not there, or does not tell: then that is a finding of its own */
async function onRecord(config: HiveConfig): Promise<readonly ShownSchedule[] | undefined> {
  const { openRecords } = await import("../../app/database/open-records.ts");
  try {
    const records = await openRecords(config);
    try {
      return await records.call("schedules.list", {});
    } finally {
      await records.close();
    }
  } catch (thrown) {
    if (thrown instanceof AgentError) return undefined;
    throw thrown;
  }
}

export function scheduleFindings(schedules: readonly ShownSchedule[]): readonly Finding[] {
  const [first] = schedules;
  if (first === undefined) return [];
  const next =
    first.next_at === null ? "none is due" : `next ${first.id} at ${moment(first.next_at)} UTC`;
  return [
    ok("schedules", `${schedules.length}, ${next}`),
    ...schedules.filter(needsSomebody).map(troubleFinding),
  ];
}

function troubleFinding({ id, state, failures, last_detail, error }: ShownSchedule): Finding {
  const found = whatIsWrong({ state, failures, detail: error?.message ?? last_detail });
  const fix =
    state === "set_aside"
      ? "`statehive actors dead` shows its fault; under another id in config/schedules.yaml it begins anew"
      : `\`statehive schedule show ${id}\` has its run; \`statehive schedule run ${id} --wait\` tries again`;
  return warn(`schedule ${id}`, found, fix);
}
