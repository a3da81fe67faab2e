import { describe, expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { createScriptedWeb, textPage } from "../../src/adapters/web/scripted-web.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import type { Files } from "../../src/ports/files.ts";
import { approvals, audit, decide, journal, messages, results } from "../actors/hive-watch.ts";
import { agentWith, fixedAgents } from "../actors/test-agents.ts";
import { createTestHive } from "../support/hive.ts";

/** Outputs that are too long to be shown: cut and kept without the secrets that they hold, wherever the cuts fall. */

const secret = "sk-ant-api03-Zq8vXr2LmT5wYc9KdBn4";
const url = "https://example.com/long";

/** At every place near which 12,000 shown bytes, their rest, or a kept line may end. */
const pieces = [1_990, 9_970, 2_000, 10_000, 16_000, 1_986, 30_000, 17_960];
const output = pieces.map((length) => "x ".repeat(length / 2) + secret).join("");

/** Any third of it. */
const parts = [0, 11, 22].map((start) => secret.slice(start, start + 11));
const leaked = (text: string) => parts.filter((part) => text.includes(part));

async function hiveWith(files: Files) {
  const agent = agentWith({
    files,
    sandbox: createScriptedSandbox(() => ({ output })),
    policy: {
      allow: ["shell_exec", "web_fetch"],
      risk: {},
      boundary: ["shell.exec:*", "net.fetch:*"],
      grant: [],
      deny: [],
    },
  });
  return createTestHive({
    agents: fixedAgents(agent),
    web: createScriptedWeb({ [url]: textPage(url, output) }),
    redactor: createRedactor([secret]),
  });
}

describe.each([
  ["a command", `call shell_exec ${JSON.stringify({ command: "ls" })}`],
  ["a page", `call web_fetch ${JSON.stringify({ url })}`],
])("of %s", (_what, call) => {
  it("L04: no part of a secret is shown, stored or kept in a file", async () => {
    const files = createMemoryFiles();
    const hive = await hiveWith(files);
    await hive.say(call);
    await hive.engine.settled();
    await decide(hive);
    await hive.engine.settled();

    const [shown = ""] = await results(hive);
    const [, path = ""] = /(\.statehive\/output\/\S+\.txt)/.exec(shown) ?? [];
    const { bytes } = await files.read(path, { maxBytes: 1_000_000 });
    const kept = new TextDecoder().decode(bytes);
    expect(kept.replaceAll("\n", "").match(/\[redacted\]/g)).toHaveLength(pieces.length);
    expect(leaked(kept)).toEqual([]);
    const rows = [audit(hive), journal(hive), messages(hive), approvals(hive)];
    expect(leaked(JSON.stringify(await Promise.all(rows)))).toEqual([]);
  });
});
