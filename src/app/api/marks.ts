import type { Agents } from "../../actors/agent.ts";
import type { Engine } from "../../engine/engine.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import { type FileOrigins, fileOriginTable } from "../../schema/rows/file-origin-rows.ts";
import { relativePath } from "../../schema/relative-path.ts";
import type { ShownMark } from "../../schema/shown/shown.ts";
import { iso } from "../records/shown.ts";
import { rootAddress } from "../root.ts";
import { sendOrRefuse } from "./actors.ts";
import type { Handlers } from "./caller.ts";

/** Which files hold text of strangers, and a person's word that one does not. */
export function markReads(read: CommittedReader): Handlers<"marks.list"> {
  return {
    "marks.list": async ({ limit }) =>
      (await read.select(fileOriginTable, { index: "key", limit })).map(showMark),
  };
}

export function markHandlers(engine: Engine, agents: Agents): Handlers<"marks.clear"> {
  return {
    "marks.clear": async ({ agent: id, path: asked }, { name: by, origin }) => {
      const agent = agents.get(id);
      if (agent === undefined)
        throw new AgentError("agent.not_found", `There is no agent ${JSON.stringify(id)}.`, {
          hint: "`statehive agents list` shows them",
        });
      const { workspace } = agent;
      const normal = relativePath(asked);
      const path = normal.ok ? normal.path : asked;
      const mark = await engine.read.get(fileOriginTable, workspace, path);
      if (mark === undefined) throw noMark(id, path);
      const event = { type: "mark.clear", workspace, path, origins: mark.origins, by };
      await sendOrRefuse(engine, rootAddress, { event, options: { origin } });
      return showMark(mark);
    },
  };
}

function showMark({ at, ...mark }: FileOrigins): ShownMark {
  return { ...mark, at: iso(at) };
}

function noMark(agent: string, path: string): AgentError {
  return new AgentError(
    "mark.not_found",
    `No mark stands at ${path} in the workspace of ${agent}.`,
    {
      hint: "`statehive marks list` shows them all",
    },
  );
}
