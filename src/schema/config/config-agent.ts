import { z } from "zod";
import { amounts } from "./config-budget.ts";
import { capabilityPattern, configId, label, modelReference, path } from "./config-forms.ts";
import { memorySources } from "../memory.ts";
import { toolsUnlessTold, toolName } from "./config-tools.ts";

/** The shape of config/agents.d/*.yaml. */

const riskClasses = ["safe", "guarded", "unsafe"] as const;

const identity = z
  .strictObject({
    name: label.nullable().default(null).describe("What people call the agent; null: its id."),
    emoji: z.string().min(1).max(16).nullable().default(null).describe("Shown before the name."),
    avatar: z
      .string()
      .min(1)
      .max(1_024)
      .nullable()
      .default(null)
      .describe("A picture: a path or URL."),
    public_label: label
      .nullable()
      .default(null)
      .describe("One line that says what the agent is; null: its name."),
  })
  .prefault({})
  .describe("How the agent shows itself.");

const modelPolicy = z
  .strictObject({
    primary: modelReference
      .default("auto")
      .describe(
        "`provider/model`, or `auto`: the first provider that has a key, else the offline model.",
      ),
    fallbacks: z
      .array(modelReference)
      .max(8)
      .default([])
      .describe("Models that are asked in turn while the one before does not answer.")
      .meta({ notYet: "fall back to other models" }),
    max_tokens: z
      .int()
      .min(1)
      .max(200_000)
      .default(4_096)
      .describe("Tokens that one answer of the model may have."),
    thinking: z
      .enum(["none", "enabled"])
      .default("none")
      .describe("Whether the model thinks before it answers, where it can."),
  })
  .prefault({})
  .describe("Which model the agent thinks with.");

const agentTools = z
  .strictObject({
    allow: z
      .array(toolName)
      .max(256)
      .default([...toolsUnlessTold])
      .describe("The tools that the agent is offered; it can call no other."),
    risk: z
      .partialRecord(toolName, z.enum(riskClasses))
      .default({})
      .describe(
        "Another risk class for a tool: safe runs, guarded needs a grant or asks, unsafe asks each time.",
      ),
    offer_max: z
      .int()
      .min(1)
      .max(256)
      .default(20)
      .describe("Tools that the model is shown at once, at most; it can search for the others.")
      .meta({ notYet: "choose among many tools" }),
  })
  .prefault({})
  .describe("What the agent can do.");

const patterns = z.array(capabilityPattern).max(256);

const capabilities = z
  .strictObject({
    boundary: patterns
      .default([
        "fs.read:**",
        "fs.write:**",
        "shell.exec:*",
        "net.fetch:*",
        "memory.read:*",
        "memory.write:own",
      ])
      .describe("What the agent may ever do. Paths are relative to its workspace."),
    grant: patterns.default(["fs.read:**", "memory.write:own"]).describe("What it may do unasked."),
    deny: patterns
      .default(["fs.read:**/.env", "fs.write:**/.env"])
      .describe("What it may never do; wins over both."),
  })
  .prefault({})
  .describe("What the agent may do, as `kind:pattern`; `**` stands for any path.");

const subAgentsToCome = { notYet: "run sub-agents" };

const limits = z
  .strictObject({
    max_tool_rounds: z
      .int()
      .min(1)
      .max(1_000)
      .default(25)
      .describe("Rounds of tool calls in one run; one more fails it with `run.max_tool_rounds`."),
    max_identical_calls: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe(
        "How many times in a row the model may make the same calls, or go through the same circle of up to four rounds; then `run.identical_calls`.",
      ),
    run_timeout_ms: z
      .int()
      .min(1_000)
      .max(604_800_000)
      .default(1_800_000)
      .describe("Milliseconds that a run may work; waiting for a person does not count."),
    approval_timeout_ms: z
      .int()
      .min(1_000)
      .max(2_592_000_000)
      .default(86_400_000)
      .describe("Milliseconds that a question waits for a person; then it counts as denied."),
    max_depth: z
      .int()
      .min(0)
      .max(5)
      .default(1)
      .describe("How deep sub-agents may start sub-agents of their own; 0: none at all.")
      .meta(subAgentsToCome),
    max_children: z
      .int()
      .min(0)
      .max(100)
      .default(5)
      .describe("Sub-agents that one run may have at work.")
      .meta(subAgentsToCome),
    sub_agent_ttl_ms: z
      .int()
      .min(1_000)
      .max(604_800_000)
      .default(600_000)
      .describe("Milliseconds that a sub-agent may work.")
      .meta(subAgentsToCome),
  })
  .prefault({})
  .describe("Where a run ends.");

const budget = z
  .strictObject({
    run: amounts("a run"),
    session: amounts("a session"),
    day: amounts("the agent in a day (UTC)"),
  })
  .prefault({})
  .describe(
    "What the agent may use up before a person is asked; the model is not asked meanwhile.",
  );

const subAgents = z
  .strictObject({
    allow: z
      .array(configId)
      .max(64)
      .default([])
      .describe("The agents that this one may start as sub-agents."),
    allowed_tools: z
      .array(toolName)
      .max(256)
      .default([])
      .describe("The tools that a sub-agent keeps of its own."),
  })
  .prefault({})
  .describe("Whom the agent may start.")
  .meta(subAgentsToCome);

const memory = z
  .strictObject({
    read: z
      .array(z.enum(memorySources))
      .max(2)
      .default(["own", "shared"])
      .describe("The memories that the agent reads."),
  })
  .prefault({})
  .describe("What the agent remembers.");

export const agentFile = z.strictObject({
  id: configId.describe("Name of the agent, unique; its prompts are in `prompts/<id>/`."),
  enabled: z.boolean().default(true).describe("A disabled agent takes no new messages."),
  identity,
  model_policy: modelPolicy,
  workspace: path
    .nullable()
    .default(null)
    .describe(
      "The directory that file tools never leave; null: `<home>/workspace/<id>`. Relative to the home.",
    ),
  roots: z
    .array(path)
    .max(16)
    .default([])
    .describe("More directories that file tools may enter. Relative to the home.")
    .meta({ notYet: "open further directories" }),
  tools: agentTools,
  capabilities,
  limits,
  budget,
  sub_agents: subAgents,
  memory,
});
