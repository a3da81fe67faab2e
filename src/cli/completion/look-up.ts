import { readdirSync } from "node:fs";
import { join } from "node:path";
import { cleanText } from "../../text/clean-text.ts";
import { packageRoot, resolveHome } from "../../config/home.ts";
import { runPaths } from "../../config/run-paths.ts";
import type { Connection } from "../../client/connection.ts";
import type { Terminal } from "../terminal.ts";
import type { Candidate, ValueKind } from "./complete.ts";

/** The values that a home or its service knows, within a time that nobody notices; none where they are not to be had. */

const withinMs = 300;
const most = 50;

export async function lookUp(
  kind: ValueKind,
  { env, homedir }: Terminal,
  flag: string | undefined,
): Promise<readonly Candidate[]> {
  try {
    const home = resolveHome({ flag, env, homedir });
    if (kind === "machine") return machineNames();
    if (kind === "tool") return await toolNames();
    if (kind === "provider") return await providerNames(home, env);
    return await inTime(fromService(kind, runPaths(home, env).socket));
  } catch {
    return [];
  }
}

function inTime(asked: Promise<readonly Candidate[]>): Promise<readonly Candidate[]> {
  const late = new Promise<readonly Candidate[]>((resolve) => {
    setTimeout(() => resolve([]), withinMs).unref();
  });
  return Promise.race([asked, late]);
}

function machineNames(): Candidate[] {
  return readdirSync(join(packageRoot(), "docs", "machines"))
    .filter((file) => file.endsWith(".svg"))
    .map((file) => ({ value: file.slice(0, -".svg".length), about: "" }));
}

async function toolNames(): Promise<Candidate[]> {
  const { listTools } = await import("../../app/tools/tool-list.ts");
  return listTools().map(({ name, description }) => ({
    value: name,
    about: firstLine(description),
  }));
}

async function providerNames(home: string, env: Terminal["env"]): Promise<Candidate[]> {
  const { loadConfig } = await import("../../config/load-config.ts");
  const loaded = loadConfig(home, env);
  return loaded.ok
    ? loaded.config.providers.map(({ id, type }) => ({ value: id, about: type }))
    : [];
}

type FromService = Exclude<ValueKind, "machine" | "tool" | "provider">;

async function fromService(kind: FromService, socketPath: string): Promise<readonly Candidate[]> {
  const { connect } = await import("../../client/connection.ts");
  const connection = await connect({ socketPath, timeoutMs: withinMs });
  try {
    return await valuesOf[kind](connection.call);
  } finally {
    connection.close();
  }
}

const valuesOf: {
  readonly [kind in FromService]: (call: Connection["call"]) => Promise<readonly Candidate[]>;
} = {
  address: async (call) =>
    (await call("actors.tree", { limit: most })).map(({ address, state }) => ({
      value: address,
      about: state,
    })),
  agent: async (call) => (await call("status", {})).agents.map((value) => ({ value, about: "" })),
  approval: async (call) =>
    (await call("approvals.list", { limit: most })).map(({ id, summary }) => ({
      value: id,
      about: firstLine(summary),
    })),
  connector: async (call) =>
    (await call("connectors.list", {})).map(({ id, type, state }) => ({
      value: id,
      about: `${type}, ${state}`,
    })),
  delivery: async (call) =>
    (await call("deliveries.list", { limit: most })).map(({ id, state, kind, scope }) => ({
      value: id,
      about: firstLine(`${state}, ${kind} to ${scope}`),
    })),
  grant: async (call) =>
    (await call("grants.list", { limit: most })).map(({ id, effect, capability }) => ({
      value: id,
      about: `${effect} ${firstLine(capability)}`,
    })),
  memory_change: async (call) =>
    (await call("memory.log", { limit: most })).map(({ id, kind, path }) => ({
      value: id,
      about: firstLine(`${kind} of ${path}`),
    })),
  memory_file: async (call) =>
    (await call("memory.files", {})).files
      .slice(0, most)
      .map(({ path }) => ({ value: path, about: "" })),
  pairing: async (call) =>
    (await call("pairings.list", { limit: most })).flatMap(({ code, name }) =>
      code === null ? [] : [{ value: code, about: firstLine(name) }],
    ),
  run: async (call) =>
    (await call("runs.list", { limit: most })).map(({ run_id, state, agent_id }) => ({
      value: run_id,
      about: `${state}, ${agent_id}`,
    })),
  schedule: async (call) =>
    (await call("schedules.list", {})).map(({ id, state, cron }) => ({
      value: id,
      about: `${state}, ${cron}`,
    })),
  session: async (call) =>
    (await call("sessions.list", { limit: most })).map(({ session_id, state, key }) => ({
      value: session_id,
      about: `${state}, ${key}`,
    })),
  task: async (call) =>
    (await call("tasks.list", { limit: most })).map(({ task_id, text }) => ({
      value: task_id,
      about: firstLine(text),
    })),
};

function firstLine(text: string): string {
  return cleanText(text.split("\n", 1)[0] ?? "", { multiline: false }).slice(0, 60);
}
