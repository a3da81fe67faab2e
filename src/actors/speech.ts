import type { RedactedStream } from "../policy/stream-redaction.ts";
import type { ModelDelta } from "../ports/model.ts";
import type { JsonObject } from "../schema/json.ts";

/** What a model says and thinks, told piece by piece without the secrets in it. An attempt that breaks off ends without
 *  `end`: what is held back then may be the beginning of one. */
export function createSpeech(
  redactStream: () => RedactedStream,
  notify: (notice: JsonObject) => void,
): { readonly hear: (delta: ModelDelta) => void; readonly end: () => void } {
  let type: ModelDelta["type"] = "text";
  let stream = redactStream();
  const tell = (text: string) => {
    if (text !== "") notify({ type: `${type}.delta`, text });
  };
  return {
    hear: (delta) => {
      if (delta.type !== type) {
        tell(stream.end());
        type = delta.type;
        stream = redactStream();
      }
      tell(stream.push(delta.text));
    },
    end: () => tell(stream.end()),
  };
}
