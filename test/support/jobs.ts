import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canaries } from "./canaries.ts";
import {
  type AnthropicServer,
  type RecordedRequest,
  type Reply,
  type Script,
  says,
  startAnthropicServer,
} from "./anthropic-server.ts";

/** A home whose model does jobs: "job 7" reads one file and writes another in parallel, then says that it has finished. */

export type JobHome = {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: AnthropicServer;
  /** What stands in the file that a job writes; undefined: it was never written. */
  written(job: number): string | undefined;
  close(): Promise<void>;
};

const agentYaml = (grant: readonly string[]) => `id: main
tools: { allow: [file_read, file_list, file_write, ask_user] }
capabilities: { boundary: ["fs.read:**", "fs.write:**"], grant: ${JSON.stringify(grant)}, deny: [] }
limits: { run_timeout_ms: 120000 }
`;
const providerYaml = `id: anthropic
type: anthropic
api_key: env:ANTHROPIC_API_KEY
`;

export type JobHomeOptions = {
  /** What the model answers; it does the jobs unless told. */
  readonly script?: Script;
  readonly grant?: readonly string[];
  /** Of config/main.yaml; it is left out unless given. */
  readonly mainYaml?: string;
  /** Lines that are added to the provider's file. */
  readonly providerYaml?: string;
};

export async function createJobHome(options: JobHomeOptions = {}): Promise<JobHome> {
  const { script = doJobs, grant = ["fs.read:**"], mainYaml } = options;
  const home = mkdtempSync(join(tmpdir(), "statehive-jobs-"));
  const workspace = join(home, "workspace", "main");
  for (const folder of [
    "config/agents.d",
    "config/providers.d",
    "prompts/main",
    "workspace/main",
  ]) {
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(home, "config/agents.d/main.yaml"), agentYaml(grant), { mode: 0o600 });
  const provider = `${providerYaml}${options.providerYaml ?? ""}`;
  writeFileSync(join(home, "config/providers.d/anthropic.yaml"), provider, { mode: 0o600 });
  if (mainYaml !== undefined)
    writeFileSync(join(home, "config/main.yaml"), mainYaml, { mode: 0o600 });
  writeFileSync(join(home, "prompts/main/system.md"), "You do jobs.\n", { mode: 0o600 });
  writeFileSync(join(workspace, "source.txt"), "source\n");
  const model = await startAnthropicServer(script);
  return {
    home,
    model,
    env: { ...canaries, ANTHROPIC_BASE_URL: model.url },
    written: (job) => readIfThere(join(workspace, `jobs/${job}.txt`)),
    close: async () => {
      await model.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

export function doJobs({ messages }: RecordedRequest): Reply {
  const last = messages.at(-1);
  const blocks =
    typeof last?.content === "string"
      ? [{ type: "text", text: last.content }]
      : (last?.content ?? []);
  const text = blocks
    .map((block) => (block.type === "text" ? String(block["text"]) : ""))
    .join(" ");
  const job = /job (\d+)/.exec(text)?.[1];
  if (job === undefined)
    return says(
      blocks.some((block) => block.type === "tool_result") ? "finished" : "nothing to do",
    );
  if (text.includes("ask")) {
    return toolUses([["ask_user", { question: `what about ${job}?` }]], job);
  }
  const path = `jobs/${job}.txt`;
  return toolUses(
    [
      ["file_read", { path: "source.txt" }],
      ["file_write", { path, content: `job ${job}\n` }],
    ],
    job,
  );
}

function toolUses(
  calls: readonly (readonly [string, Record<string, string>])[],
  job: string,
): Reply {
  return {
    content: calls.map(([name, input], index) => ({
      type: "tool_use",
      id: `toolu_${job}_${index}`,
      name,
      input,
    })),
  };
}
