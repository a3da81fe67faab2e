import { completionScripts, type Shell, shells } from "../completion/scripts.ts";
import { defineCommand } from "../command.ts";

export const completion = defineCommand<[shell: Shell]>({
  usage: "completion <shell>",
  summary: "what makes bash, zsh or fish complete commands, options, ids and names",
  example: "completion bash > ~/.local/share/bash-completion/completions/statehive",
  offline: "same",
  argumentChoices: shells,
  async work(_context, [shell]) {
    const script = completionScripts[shell];
    return { data: { shell, script }, text: script };
  },
});
