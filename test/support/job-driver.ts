import { join } from "node:path";
import type { Connection } from "../../src/client/connection.ts";
import type { ShownApproval, ShownRun } from "../../src/schema/socket/protocol.ts";
import type { JobHome } from "./jobs.ts";
import { countPlacedFiles } from "./placed-files.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";

/** Drives jobs through a service that keeps dying: sends until accepted, decides what waits, starts it again when it is gone. */

const poll = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export type JobDriver = {
  /** Sends each message once, whatever happens, each to a session of its own. */
  send(texts: readonly string[]): Promise<void>;
  /** Decides what waits until every run has ended. */
  finish(texts: readonly string[]): Promise<readonly ShownRun[]>;
  kill(): Promise<void>;
  call<T>(use: (connection: Connection) => Promise<T>): Promise<T>;
  /** How many times a job's file was put in its place. */
  writes(job: number): number;
  /** Questions about an unknown outcome that were put to the person. */
  unknown(): readonly ShownApproval[];
  /** The processes that ran so far, the present one last. */
  lives(): readonly number[];
  breathe(): Promise<void>;
  /** @returns how many fault points the last process passed */
  stop(): Promise<number>;
};

export async function driveJobs(jobs: JobHome, killAt = 0): Promise<JobDriver> {
  const { home, env } = jobs;
  const placed = countPlacedFiles(join(home, "workspace/main/jobs"));
  const unknown = new Map<string, ShownApproval>();
  let service: ServiceProcess = await startServiceProcess({ home, env, killAt });
  const lives = [service.child.pid ?? 0];
  let connection: Connection | undefined;

  async function call<T>(use: (present: Connection) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        if (
          service.socketPath === "" ||
          service.child.exitCode !== null ||
          service.child.signalCode !== null
        ) {
          await service.ended;
          connection = undefined;
          service = await startServiceProcess({ home, env });
          lives.push(service.child.pid ?? 0);
        }
        connection ??= await service.connect();
        return await use(connection);
      } catch (error) {
        const { code } = error as { code?: string };
        if (code !== "service.not_running" && code !== "service.not_answering") throw error;
        connection?.close();
        connection = undefined;
        await poll(20);
      }
    }
  }

  const sendOne = (text: string) =>
    call((present) =>
      present.call("chat.send", {
        chat: text,
        text,
        session: text.replaceAll(" ", "-"),
        idempotency_key: text,
      }),
    );

  const decide = async (approval: ShownApproval) => {
    if (approval.kind === "outcome") unknown.set(approval.id, approval);
    try {
      await call((present) =>
        approval.kind === "call"
          ? present.call("approvals.decide", { id: approval.id, decision: "approve" })
          : present.call("approvals.answer", {
              id: approval.id,
              value: approval.kind === "outcome" ? "skip" : "blue",
            }),
      );
    } catch (error) {
      if ((error as { code?: string }).code !== "approval.already_decided") throw error;
    }
  };

  return {
    call,
    unknown: () => [...unknown.values()],
    lives: () => lives,
    breathe: () => poll(20),
    writes: (job) => placed.times(`${job}.txt`),
    kill: () => service.kill(),
    send: async (texts) => {
      for (const text of texts) await sendOne(text);
    },
    finish: async (texts) => {
      for (;;) {
        const waiting = await call((present) => present.call("approvals.list", { limit: 10_000 }));
        for (const approval of waiting) await decide(approval);
        const runs = await call((present) => present.call("runs.list", { limit: 10_000 }));
        if (runs.length >= texts.length && runs.every((run) => run.ended_at !== null)) return runs;
        await poll(20);
      }
    },
    stop: async () => {
      connection?.close();
      placed.close();
      return service.stop();
    },
  };
}
