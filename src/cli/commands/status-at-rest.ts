import { AgentError } from "../../schema/errors.ts";
import type { CommandContext } from "../command-context.ts";
import { isHome } from "../../config/home.ts";
import { checkedConfig } from "../lifecycle/checked-config.ts";

const counted = 10_000;

/** That no service runs, with what goes on at the next start, as far as the file tells. */
export async function stoppedError(context: CommandContext, absence: AgentError): Promise<unknown> {
  if (absence.code !== "service.not_running" || !isHome(context.home)) return absence;
  try {
    return await withRecords(context, absence);
  } catch (error) {
    const isMissing = error instanceof AgentError && error.code === "file.not_found";
    return isMissing ? absence : error;
  }
}

async function withRecords(context: CommandContext, absence: AgentError): Promise<AgentError> {
  const { config } = await checkedConfig(context);
  const { openRecords } = await import("../../app/database/open-records.ts");
  const records = await openRecords(config);
  try {
    const actors = await records.call("actors.tree", { limit: counted });
    const approvals = await records.call("approvals.list", { limit: counted });
    const count = (kind: string) => actors.filter((actor) => actor.kind === kind).length;
    const details = {
      sessions: count("session"),
      runs: count("run"),
      approvals: approvals.length,
      file: records.file,
    };
    const { sessions, runs, file } = details;
    const told = `${sessions} open sessions, ${runs} open runs, ${details.approvals} approvals that wait`;
    return new AgentError(absence.code, `${absence.message}\n${told} (${file})`, {
      hint: "`statehive start` starts one; what is open goes on",
      details,
    });
  } finally {
    await records.close();
  }
}
