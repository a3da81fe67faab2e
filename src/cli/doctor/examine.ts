import { toErrorData } from "../../schema/errors.ts";
import { configChecks } from "./config-checks.ts";
import { connectorChecks } from "./connector-checks.ts";
import { databaseChecks } from "./database-checks.ts";
import { fail, type Finding } from "./finding.ts";
import { homeChecks } from "./home-checks.ts";
import { logChecks } from "./log-checks.ts";
import { memoryChecks } from "./memory-checks.ts";
import { machineChecks } from "./machine-checks.ts";
import { modelChecks } from "./model-checks.ts";
import type { Patient } from "./patient.ts";
import { sandboxChecks } from "./sandbox-checks.ts";
import { scheduleChecks } from "./schedule-checks.ts";
import { serviceChecks } from "./service-checks.ts";
import { systemdChecks } from "./systemd-checks.ts";
import { terminalChecks } from "./terminal-checks.ts";

export type Area = keyof typeof checks;
export type AreaFinding = Finding & { readonly area: Area };

type Check = (patient: Patient) => readonly Finding[] | Promise<readonly Finding[]>;

const checks = {
  machine: machineChecks,
  home: homeChecks,
  configuration: configChecks,
  database: databaseChecks,
  service: serviceChecks,
  log: logChecks,
  models: modelChecks,
  connectors: connectorChecks,
  schedules: scheduleChecks,
  memory: memoryChecks,
  sandbox: sandboxChecks,
  systemd: systemdChecks,
  terminal: terminalChecks,
} satisfies { readonly [area: string]: Check };

/** Everything that can be wrong, area by area; a check that fails itself is a finding and ends no other. */
export async function examine(patient: Patient): Promise<readonly AreaFinding[]> {
  const found: AreaFinding[] = [];
  for (const [name, check] of Object.entries<Check>(checks)) {
    const area = name as Area;
    const findings = await outcomeOf(check, patient);
    found.push(...findings.map((finding) => ({ ...finding, area })));
  }
  return found;
}

async function outcomeOf(check: Check, patient: Patient): Promise<readonly Finding[]> {
  try {
    return await check(patient);
  } catch (thrown) {
    const { message, hint } = toErrorData(thrown);
    return [fail("check", `could not be made: ${message}`, hint ?? "see who may read the home")];
  }
}
