import { openFetchTable } from "../../schema/rows/channel-rows.ts";
import type { DownloadContext } from "../../schema/contexts/download-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { DownloadEvent } from "./download-events.ts";
import { readyOf } from "./download-rules.ts";
import { ask, effects, putRow } from "../effect-actions.ts";

type Event = Delivered<DownloadEvent>;

/** Until this actor ends, what its person says there comes here. */
export const openFetch = effects<DownloadContext, Event>(({ context, event }) => {
  const { connector_id, scope, user_scope } = context;
  const { self: address, at } = event.$;
  return [putRow(openFetchTable, { address, connector_id, scope, user_scope, at })];
});

/** To the agent what there is for it, and to its person what could not be had. */
export const handReady = effects<DownloadContext, Event>(({ context }) =>
  readyOf(context).map((message) => ask("handMessage", { message })),
);
