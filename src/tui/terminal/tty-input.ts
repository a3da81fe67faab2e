import { StringDecoder } from "node:string_decoder";
import type { ScreenEvents } from "../screen.ts";
import { InputDecoder, type InputEvent } from "./input-decoder.ts";
import type { Surroundings } from "./surroundings.ts";

/** Ssh cuts sequences in two; longer than this a person would notice when Escape is pressed. */
const holdMs = 30;
const stallMs = 1_000;
/** Not every terminal takes the end mark out of what is pasted: what follows a paste at once is more of it, and pressed by nobody. */
const afterPasteMs = 100;

/** The keyboard, as long as it is listened to. @returns stops listening */
export function listenToTty(
  { input, after }: Pick<Surroundings, "input" | "after">,
  events: () => ScreenEvents | undefined,
): () => void {
  const decoder = new InputDecoder();
  const utf8 = new StringDecoder("utf8");
  let forget: (() => void) | undefined;
  let rested: (() => void) | undefined;
  const rest = () => {
    rested?.();
    rested = after(afterPasteMs, () => (rested = undefined));
  };
  const tell = (found: readonly InputEvent[]) => {
    for (const each of found) {
      const isMoreOfPaste = rested !== undefined && each.kind !== "paste";
      if (isMoreOfPaste || each.kind === "paste") rest();
      if (!isMoreOfPaste) tellOne(events(), each);
    }
  };
  const take = (bytes: Buffer | string) => {
    forget?.();
    forget = undefined;
    tell(decoder.feed(typeof bytes === "string" ? bytes : utf8.write(bytes)));
    if (decoder.isHolding) forget = after(holdMs, () => tell(decoder.expire()));
    else if (decoder.isPasting) forget = after(stallMs, () => decoder.stall());
  };
  input.on("data", take);
  input.resume();
  return () => {
    forget?.();
    rested?.();
    input.removeListener("data", take);
    input.pause();
  };
}

function tellOne(events: ScreenEvents | undefined, found: InputEvent): void {
  if (found.kind === "key") events?.key(found.key);
  else if (found.kind === "paste") events?.paste(found.text);
  else events?.click(found.click);
}
