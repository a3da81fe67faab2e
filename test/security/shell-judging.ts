import { createScriptedSandbox } from "../../src/adapters/sandbox/scripted-sandbox.ts";
import { type LiveGrant, type Verdict, verdict } from "../../src/policy/verdict.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { shellExecTool } from "../../src/tools/shell-exec.ts";

/** What the policy says of commands whose agent has made the shell guarded, in a workspace of named files. */

export type ShellJudging = {
  judge(command: string, grants?: readonly LiveGrant[], cwd?: string): Verdict;
  /** What a person's word for longer than this call leaves behind; empty where nothing is offered. */
  grantsFor(command: string, cwd?: string): readonly LiveGrant[];
  terms(command: string, cwd?: string): string;
};

export function createShellJudging(
  files: ReadonlyMap<string, string>,
  changes: Partial<Sandbox> = {},
): ShellJudging {
  const sandbox = { ...createScriptedSandbox(() => ({}), { files }), ...changes };
  const around = (command: string, cwd = ".") => {
    const found = shellExecTool.circumstances?.({ command, cwd }, { sandbox });
    if (found?.ok !== true) throw new Error(`${command} cannot be run: ${found?.reason}`);
    return found;
  };
  const judge: ShellJudging["judge"] = (command, grants = [], cwd = ".") => {
    const { pin, changed, onlyThisCall } = around(command, cwd);
    return verdict({
      tool: shellExecTool,
      capabilities: shellExecTool.capabilities({ command, cwd }),
      agent: {
        allow: ["shell_exec"],
        boundary: ["shell.exec:*"],
        grant: [],
        deny: [],
        risk: { shell_exec: "guarded" },
      },
      grants,
      pin,
      changed,
      onlyThisCall,
    });
  };
  return {
    judge,
    grantsFor: (command, cwd) => {
      const { pin = null } = around(command, cwd);
      return judge(command, [], cwd).proposed_grants.map((capability) => ({
        tool: "shell_exec",
        capability,
        effect: "allow",
        pin,
        accepted: [],
        scope: "session",
        approval_id: "a1",
      }));
    },
    terms: (command, cwd) => around(command, cwd).terms ?? "",
  };
}
