import type { JournalRow } from "../../src/engine/tables.ts";
import { actorTable, journalTable } from "../../src/engine/tables.ts";
import type { Files } from "../../src/ports/files.ts";
import { type AuditRow, auditTable } from "../../src/schema/rows/audit-rows.ts";
import {
  type Approval,
  approvalTable,
  type DecisionScope,
} from "../../src/schema/rows/permission-rows.ts";
import { type Run, runTable } from "../../src/schema/rows/run-rows.ts";
import { type Message, messageTable } from "../../src/schema/rows/session-rows.ts";
import { type TestHive } from "../support/hive.ts";

/** What tests of the whole hive look at and wait for. */

/** Resolves once an actor of this machine has come to this state; ask before you cause it. */
export function reached(hive: TestHive, machine: string, state: string): Promise<JournalRow> {
  return new Promise((resolve) => {
    const stop = hive.engine.onStep((step) => {
      if (step.machine !== machine || step.state_after !== state) return;
      stop();
      resolve(step);
    });
  });
}

export async function pendingApproval(hive: TestHive): Promise<Approval> {
  const [approval] = await hive.engine.read.select(approvalTable, {
    index: "by_state",
    equals: ["pending"],
  });
  if (approval === undefined) throw new Error("no approval is pending");
  return approval;
}

type Decision = {
  decision?: "approve" | "deny";
  scope?: DecisionScope;
  reason?: string;
  until?: number;
  grants?: readonly string[];
};

export async function decide(hive: TestHive, decision: Decision = {}) {
  const { address } = await pendingApproval(hive);
  const event = {
    type: "approval.decide",
    decision: "approve",
    scope: "once",
    by: "ann",
    ...decision,
  };
  return hive.engine.send(address, event, { origin: "cli" });
}

export async function answer(hive: TestHive, value: string) {
  const { address } = await pendingApproval(hive);
  return hive.engine.send(
    address,
    { type: "approval.answer", value, by: "ann" },
    { origin: "cli" },
  );
}

/** Sends an event to the newest actor of a machine. */
export async function tell(hive: TestHive, machine: string, type: string) {
  const actors = await hive.engine.actors({ status: "active" });
  const newest = actors.filter((actor) => actor.machine === machine).at(-1);
  if (newest === undefined) throw new Error(`no ${machine} lives`);
  return hive.engine.send(newest.address, { type }, { origin: "cli" });
}

/** Ids are made from the numbers of the steps that began them, so they tell the order where times do not. */
const numberOf = (id: string): number => Number(id.slice(1));

/** All of them, oldest first. */
export async function approvals(hive: TestHive): Promise<Approval[]> {
  const found = await hive.engine.read.select(approvalTable, { index: "key" });
  return found.toSorted((one, other) => numberOf(one.approval_id) - numberOf(other.approval_id));
}

/** All of them, oldest first. */
export async function runs(hive: TestHive): Promise<Run[]> {
  const found = await hive.engine.read.select(runTable, { index: "key" });
  return found.toSorted((one, other) => numberOf(one.run_id) - numberOf(other.run_id));
}

export const audit = (hive: TestHive): Promise<AuditRow[]> =>
  hive.engine.read.select(auditTable, { index: "key" });

export const messages = (hive: TestHive): Promise<Message[]> =>
  hive.engine.read.select(messageTable, { index: "key" });

/** The texts of all tool results, oldest first. */
export async function results(hive: TestHive): Promise<string[]> {
  const rows = await messages(hive);
  return rows
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === "tool_result" ? [block.output] : []));
}

export const journal = (hive: TestHive): Promise<JournalRow[]> =>
  hive.engine.read.select(journalTable, { index: "key" });

/** The states of all actors of a machine, ended ones too, in the order of the alphabet. */
export async function statesOf(hive: TestHive, machine: string): Promise<string[]> {
  const actors = await hive.engine.read.select(actorTable, { index: "by_end" });
  return actors
    .filter((actor) => actor.machine === machine)
    .map(({ state }) => state)
    .toSorted();
}

/** Files whose writes stand still until they are told to go on. */
export function slowFiles(files: Files): { readonly files: Files; goOn(): void } {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return {
    files: {
      ...files,
      write: async (path, content) => {
        await gate;
        return files.write(path, content);
      },
    },
    goOn: () => goOn(),
  };
}
