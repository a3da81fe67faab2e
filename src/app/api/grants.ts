import type { Engine } from "../../engine/engine.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import { approvalTable, type Grant, grantTable } from "../../schema/rows/permission-rows.ts";
import type { ShownGrant } from "../../schema/shown/shown.ts";
import { findSession } from "../records/find.ts";
import { iso, isoOrNull } from "../records/shown.ts";
import { sendOrRefuse } from "./actors.ts";
import type { Handlers } from "./caller.ts";

/** What people allowed or denied beyond one call. */
export function grantReads(read: CommittedReader): Handlers<"grants.list"> {
  return {
    "grants.list": async ({ session, limit }) => {
      const rows = session === undefined ? all(read, limit) : ofSession(read, session, limit);
      return Promise.all((await rows).map((row) => showGrant(read, row)));
    },
  };
}

/** Taken back at once: what has not begun yet is judged without it. */
export function grantHandlers(engine: Engine): Handlers<"grants.revoke"> {
  return {
    "grants.revoke": async ({ id }, { name: by, origin }) => {
      const grant = await engine.read.get(grantTable, id);
      if (grant === undefined) throw noGrant(id);
      const event = { type: "grant.revoke", grant_id: id, by };
      await sendOrRefuse(engine, grant.session_address, { event, options: { origin } });
      return showGrant(engine.read, grant);
    },
  };
}

function all(read: CommittedReader, limit: number): Promise<Grant[]> {
  return read.select(grantTable, { index: "by_given", limit });
}

async function ofSession(read: CommittedReader, id: string, limit: number): Promise<Grant[]> {
  const { address } = await findSession(read, id);
  const here = { index: "by_place", from: address, before: `${address}/\u{10ffff}` };
  const rows = await read.select(grantTable, here);
  return rows.filter((row) => row.session_address === address).slice(0, limit);
}

async function showGrant(read: CommittedReader, grant: Grant): Promise<ShownGrant> {
  const { grant_id: id, scope, owner, effect, tool, capability, terms, approval_id } = grant;
  const asked = await read.get(approvalTable, approval_id);
  return {
    id,
    scope,
    owner,
    effect,
    tool,
    capability,
    terms,
    approval_id,
    given_by: grant.given_by,
    given_at: iso(grant.given_at),
    expires_at: isoOrNull(grant.expires_at),
    session_id: asked?.session_id ?? "",
    agent_id: asked?.agent_id ?? "",
  };
}

function noGrant(id: string): AgentError {
  return new AgentError("grant.not_found", `No grant is called ${id}, or it has ended.`, {
    hint: "`statehive grants list` shows those that live",
  });
}
