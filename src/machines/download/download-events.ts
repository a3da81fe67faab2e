import type { FetchFileOutput } from "../../schema/activities.ts";
import type { DownloadContext } from "../../schema/contexts/download-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { EventOf } from "../../schema/events/events.ts";

export type DownloadInput = Pick<
  DownloadContext,
  "download_id" | "connector_id" | "scope" | "user_scope"
>;

export type DownloadEvent = EventOf<"message.brought"> | EventOf<"download.cancel">;

export type AnyDownloadEvent =
  | DownloadEvent
  | { readonly type: "xstate.done.actor.fetchFile"; readonly output: FetchFileOutput }
  | { readonly type: "xstate.error.actor.fetchFile"; readonly error: ErrorData };
