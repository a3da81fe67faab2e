import { canaries } from "./canaries.ts";
import { createJobHome, type JobHome } from "./jobs.ts";
import type { RecordedRequest, Reply, Script } from "./anthropic-server.ts";
import { type FakeBot, startTelegramServer, type TelegramServer } from "./telegram-server.ts";

/** A home with bots at a Bot API on loopback, and a model that answers each token (`w17`) that it is told, once it has done what
 *  stands beside it. Tokens of bots hold a canary: whoever lets one slip is found. */

export type TelegramHome = Pick<JobHome, "home" | "env" | "model" | "close"> & {
  readonly telegram: TelegramServer;
  readonly bots: readonly FakeBot[];
};

export type BotPlan = {
  readonly id: string;
  readonly users: readonly number[];
  readonly approvers?: readonly number[];
  readonly groups?: readonly number[];
  readonly more?: string;
};

export type TelegramHomeOptions = {
  readonly bots: readonly BotPlan[];
  readonly script?: Script;
  /** Lines of config/main.yaml beside the connectors. */
  readonly mainYaml?: string;
  readonly grant?: readonly string[];
  /** One that serves another home too. */
  readonly telegram?: TelegramServer;
};

const mark = /\/(\w+)/.exec(canaries["TG_MAIN_TOKEN"] ?? "")?.[1] ?? "";

/** The same for the same number, so that two homes can have one bot. */
const tokenOf = (index: number) => `${7001 + index}:${mark}_${index}`;

const unhurried = `engine: { durability: process }
gateway: { rate_limit: { capacity: 1000, refill_per_minute: 1000 }, global_rate_limit: { capacity: 10000, refill_per_minute: 10000 } }
runs: { max_concurrent: 24 }
`;

export async function createTelegramHome(options: TelegramHomeOptions): Promise<TelegramHome> {
  const { bots, script = echo, mainYaml = unhurried } = options;
  const telegram = options.telegram ?? (await startTelegramServer());
  const connectors = bots.map((plan, index) => connectorYaml(plan, index, telegram.url));
  const jobs = await createJobHome({
    script,
    mainYaml: `${mainYaml}connectors:\n${connectors.join("")}`,
    ...(options.grant === undefined ? {} : { grant: options.grant }),
  });
  const tokens = bots.map((_, index) => [`TG_${index}_TOKEN`, tokenOf(index)] as const);
  return {
    home: jobs.home,
    env: { ...jobs.env, ...Object.fromEntries(tokens) },
    model: jobs.model,
    telegram,
    bots: tokens.map(([, token]) => telegram.bot(token)),
    close: async () => {
      await jobs.close();
      if (options.telegram === undefined) await telegram.close();
    },
  };
}

function connectorYaml(plan: BotPlan, index: number, url: string): string {
  const { id, users, approvers = users, groups = [], more = "" } = plan;
  const list = (numbers: readonly number[]) => `[${numbers.join(", ")}]`;
  return `  - id: ${id}
    type: telegram
    token: env:TG_${index}_TOKEN
    api_root: ${url}
    allow_users: ${list(users)}
    approvers: ${list(approvers)}
    groups: ${list(groups)}
${more}`;
}

/** "w17 write" writes jobs/w17.txt first, "w17 ask" asks the person first; in the end comes "answered w17". */
function echo({ messages }: RecordedRequest): Reply {
  const told = messages.filter(({ role }) => role === "user").map(textIn);
  const text = told.findLast((one) => /\bw\d+\b/.test(one)) ?? "";
  const token = /\bw\d+\b/.exec(text)?.[0];
  if (token === undefined) return { content: [{ type: "text", text: "nothing to do" }] };
  const hasDone = told.at(-1) !== text;
  if (!hasDone && text.includes("write")) {
    return call(token, "file_write", { path: `jobs/${token}.txt`, content: `${token}\n` });
  }
  if (!hasDone && text.includes("ask")) {
    return call(token, "ask_user", { question: `which, ${token}?`, options: ["red", "blue"] });
  }
  return { content: [{ type: "text", text: `answered ${token}` }] };
}

function textIn({ content }: RecordedRequest["messages"][number]): string {
  const texts = content.filter(({ type }) => type === "text");
  return texts.map((block) => String(block["text"])).join(" ");
}

function call(token: string, name: string, input: Readonly<Record<string, unknown>>): Reply {
  return { content: [{ type: "tool_use", id: `toolu_${token}`, name, input }] };
}
