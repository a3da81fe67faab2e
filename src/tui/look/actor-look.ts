import type { ActorStateRow } from "../../schema/shown/actor-view.ts";
import type { Style } from "../frame/frame.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";

/** How an actor's state looks: a glyph and a colour, the same in every pane. */
export type Look = { readonly glyph: SafeText; readonly style: Style };

const looks = {
  asking: { glyph: own`?`, style: { fg: "yellow", bold: true } },
  busy: { glyph: own`▶`, style: { fg: "cyan" } },
  waiting: { glyph: own`○`, style: { fg: "blue" } },
  resting: { glyph: own`●`, style: {} },
  done: { glyph: own`✓`, style: { fg: "green", dim: true } },
  failed: { glyph: own`✗`, style: { fg: "red" } },
  stopped: { glyph: own`■`, style: { fg: "grey" } },
  broken: { glyph: own`!`, style: { fg: "red", bold: true } },
} as const satisfies { readonly [name: string]: Look };

const badEnds = new Set(["failed", "denied", "expired", "cancelled", "invalid", "outcome_unknown"]);

export function lookOf({
  status,
  state,
  tags,
}: Pick<ActorStateRow, "status" | "state" | "tags">): Look {
  if (status === "quarantined") return looks.broken;
  if (status === "error") return looks.failed;
  if (status === "stopped") return looks.stopped;
  if (status === "done") return badEnds.has(state) ? looks.failed : looks.done;
  if (tags.includes("approval")) return looks.asking;
  if (tags.includes("busy")) return looks.busy;
  return tags.includes("waiting") ? looks.waiting : looks.resting;
}

/** `run r7` instead of its whole address: what it is, and its own part of the address. */
export function nameOf({
  address,
  kind,
  parent,
}: Pick<ActorStateRow, "address" | "kind" | "parent">): SafeText {
  const ownPart =
    parent !== null && address.startsWith(`${parent}/`)
      ? address.slice(parent.length + 1)
      : address;
  const short = ownPart.split("/").at(-1) ?? ownPart;
  if (short === kind) return safe(kind);
  if (kind === "session") return own`session ${placeName(short)}`;
  return own`${safe(kind.replace("tool_call", "call"))} ${safe(short)}`;
}

/** Of a session's key what tells it from others: `cli main`; on a channel also whom it is with. */
function placeName(key: string): SafeText {
  const [, connector = "", scope = "", user = "", agent = ""] = key.split(":").map(decoded);
  const where = connector === "local" ? scope : `${connector} ${scope}`;
  const whom = connector === "local" && user === "owner" ? "" : user;
  return safe(`${where} ${whom} ${agent}`.trim().replaceAll(/ +/g, " "));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
