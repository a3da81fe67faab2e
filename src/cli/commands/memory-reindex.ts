import type { Connection } from "../../client/connection.ts";
import type { MemoryStats } from "../../schema/shown/shown-memory.ts";
import { defineCommand } from "../command.ts";
import { asking, type CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { statsText, vectorsText } from "../output/memory-text.ts";
import { waitUntil } from "../lifecycle/wait-until.ts";

const longestMs = 3_600_000;

export const reindex = defineCommand({
  usage: "reindex",
  summary: "make what is findable anew from the files, and wait until all has its vector",
  example: "memory reindex",
  exits: [exitCodes.failed, exitCodes.tryAgain],
  async work(context) {
    const data = await asking(context, async (connection) => {
      const begun = await connection.call("memory.reindex", {});
      return isComplete(begun) ? begun : vectorsOf(context, connection);
    });
    return { data, text: statsText(data, context) };
  },
});

/** Without an embedder, or with one that does not answer, there is nothing to wait for. */
function isComplete({ index }: MemoryStats): boolean {
  if (index === null || index.embedder === null || index.trouble !== null) return true;
  return index.embedded >= index.chunks;
}

/** How far it is, is told to who watches, line by line. */
async function vectorsOf(context: CommandContext, { call }: Connection): Promise<MemoryStats> {
  const isWatched = context.width !== undefined && !context.json;
  let told = "";
  let latest = await call("memory.stats", {});
  await waitUntil(async () => {
    latest = await call("memory.stats", {});
    const progress = latest.index === null ? "" : `vectors: ${vectorsText(latest.index)}`;
    if (isWatched && progress !== told) context.note(progress);
    told = progress;
    return isComplete(latest) ? true : undefined;
  }, longestMs);
  return latest;
}
