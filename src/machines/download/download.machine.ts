import { fromPromise, setup } from "xstate";
import type { FetchFileInput, FetchFileOutput } from "../../schema/activities.ts";
import type { DownloadContext } from "../../schema/contexts/download-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import { handReady, openFetch } from "./download-effects.ts";
import type { DownloadEvent, DownloadInput } from "./download-events.ts";
import {
  closeAlbum,
  forgetReady,
  giveUpFiles,
  keepMessage,
  newDownload,
  rememberFile,
  rememberMissed,
} from "./download-memory.ts";
import {
  hasNextFile,
  hasRoom,
  isByPerson,
  isHanded,
  isLost,
  isOfFirstAlbum,
  nextFile,
} from "./download-rules.ts";
import { lookup, write } from "../effect-actions.ts";

/** Fetches the files that one person sends in one place; what they say meanwhile waits here, so that nothing overtakes. */
export const downloadMachine = setup({
  types: {
    context: {} as DownloadContext,
    input: {} as DownloadInput & { $: EventMeta },
    events: {} as Delivered<DownloadEvent>,
    tags: {} as "busy" | "waiting" | "terminal",
  },
  actors: {
    fetchFile: fromPromise<FetchFileOutput, FetchFileInput>(() => {
      throw new Error("fetchFile is an activity: the engine runs it");
    }),
  },
  actions: {
    lookup,
    write,
    openFetch,
    keepMessage,
    closeAlbum,
    rememberFile,
    rememberMissed,
    giveUpFiles,
    handReady,
    forgetReady,
  },
  guards: { isOfFirstAlbum, hasRoom, isByPerson, hasNextFile, isHanded, isLost },
  delays: { albumPause: 500 },
}).createMachine({
  id: "download",
  version: "1",
  context: newDownload,
  entry: "openFetch",
  initial: "gathering",
  states: {
    gathering: {
      description:
        "Waits until no more of an album comes; what has all that there is of it is handed on, in its order.",
      tags: ["waiting"],
      always: [
        { guard: "hasNextFile", target: "fetching" },
        { guard: "isHanded", target: "handed" },
        { guard: "isLost", target: "failed" },
      ],
      on: {
        "message.brought": [
          { guard: "isOfFirstAlbum", target: "gathering", reenter: true, actions: "keepMessage" },
          { guard: "hasRoom", actions: ["keepMessage", "handReady", "forgetReady"] },
        ],
        "download.cancel": {
          guard: "isByPerson",
          actions: ["giveUpFiles", "handReady", "forgetReady"],
        },
      },
      after: {
        albumPause: {
          target: "gathering",
          reenter: true,
          actions: ["closeAlbum", "handReady", "forgetReady"],
        },
      },
      meta: {
        ignores: {
          "message.brought": "session.queue_full: Too many messages wait for files here.",
          "download.cancel": "It goes on without its connector.",
        },
      },
    },
    fetching: {
      description: "A file is on its way from the channel into the agent's workspace.",
      tags: ["busy"],
      invoke: {
        src: "fetchFile",
        id: "fetchFile",
        input: nextFile,
        onDone: { target: "gathering", actions: ["rememberFile", "handReady", "forgetReady"] },
        onError: { target: "gathering", actions: ["rememberMissed", "handReady", "forgetReady"] },
      },
      on: {
        "message.brought": { guard: "hasRoom", actions: "keepMessage" },
        "download.cancel": {
          guard: "isByPerson",
          target: "gathering",
          actions: ["giveUpFiles", "handReady", "forgetReady"],
        },
      },
      meta: {
        ignores: {
          "message.brought": "session.queue_full: Too many messages wait for files here.",
          "download.cancel": "It goes on without its connector.",
        },
      },
    },
    handed: {
      description: "What was said is with the agent, with the files that could be had.",
      tags: ["terminal"],
      type: "final",
    },
    failed: {
      description: "No file could be had and nothing was said; the person was told why.",
      tags: ["terminal"],
      type: "final",
    },
  },
});
