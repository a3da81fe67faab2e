import type { Button } from "./account.ts";
import { badRequest, objectIn, type Params } from "./wire.ts";

/** What hangs below a message: buttons, or the wish for a reply. */
export type Markup = {
  readonly buttons: readonly (readonly Button[])[];
  readonly wantsReply: boolean;
};

function buttonOf(wire: unknown): Button {
  const { text, callback_data: data, url } = wire as Params;
  if (typeof text !== "string" || text.trim() === "")
    throw badRequest(
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    );
  if (typeof data !== "string") {
    if (typeof url === "string") return { label: text, data: url };
    throw badRequest(
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    );
  }
  const bytes = Buffer.byteLength(data);
  if (bytes === 0 || bytes > 64) throw badRequest("BUTTON_DATA_INVALID");
  return { label: text, data };
}

export function markupIn(params: Params): Markup {
  const markup = objectIn(params, "reply_markup");
  const rows = markup?.["inline_keyboard"];
  if (rows === undefined) return { buttons: [], wantsReply: markup?.["force_reply"] === true };
  if (!Array.isArray(rows) || !rows.every(Array.isArray))
    throw badRequest("can't parse reply keyboard markup JSON object");
  return {
    buttons: rows.map((row: unknown[]) => row.map(buttonOf)).filter((row) => row.length > 0),
    wantsReply: false,
  };
}

export function wireMarkup(buttons: Markup["buttons"]): Params {
  if (buttons.length === 0) return {};
  const inline = buttons.map((row) =>
    row.map(({ label, data }) => ({ text: label, callback_data: data })),
  );
  return { reply_markup: { inline_keyboard: inline } };
}
