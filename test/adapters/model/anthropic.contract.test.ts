import { createAnthropicProvider } from "../../../src/adapters/model/anthropic.ts";
import { describeModelContract } from "../../contracts/model.contract.ts";
import { says, startAnthropicServer } from "../../support/anthropic-server.ts";
import { ask, everyTool } from "./requests.ts";

describeModelContract("anthropic over loopback", async () => {
  const server = await startAnthropicServer(({ messages }) => {
    const last = messages.at(-1)?.content.at(-1);
    if (last?.["text"] !== "work")
      return says("I think, therefore I stream. ", "Twice, even: ü🦀.");
    const call = { type: "tool_use", id: "toolu_1", name: "file_read", input: { path: "a.txt" } };
    return { content: [{ type: "text", text: "Let me look." }, call] };
  });
  return {
    provider: createAnthropicProvider({ id: "anthropic", apiKey: "sk-test", baseUrl: server.url }),
    talk: ask("talk"),
    work: ask("work", everyTool),
    close: server.close,
  };
});
