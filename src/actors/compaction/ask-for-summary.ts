import { objectIn } from "../../prompt/summary-question.ts";
import { AgentError } from "../../schema/errors.ts";
import type { AsideAnswer } from "../model-aside.ts";
import { bytesPerToken, mostTokensAtOnce } from "./summary-size.ts";

/** Asks with as much as is put at once, and with less where the model takes no more. */

type Asking<A> = { readonly asked: A; readonly answer: Promise<AsideAnswer> };

const leastBytes = 2_000;
const smaller = 3;

export async function askShorter<A>(
  ask: (bytes: number) => Asking<A>,
): Promise<{ readonly asked: A; readonly answer: AsideAnswer }> {
  for (let bytes = mostTokensAtOnce * bytesPerToken; ; bytes /= smaller) {
    const { asked, answer } = ask(bytes);
    try {
      return { asked, answer: await answer };
    } catch (thrown) {
      if (!isTooLong(thrown) || bytes / smaller < leastBytes) throw thrown;
    }
  }
}

function isTooLong(thrown: unknown): boolean {
  return thrown instanceof AgentError && thrown.code === "model.context_too_long";
}

type Shape<T> = {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: T } | { readonly success: false };
};

/** @throws AgentError model.bad_response, with what the answer used */
export function readAnswer<T>({ text, isCut, model, usage }: AsideAnswer, shape: Shape<T>): T {
  const parsed = shape.safeParse(objectIn(text));
  if (parsed.success) return parsed.data;
  const why = isCut ? "is cut off" : "is not the JSON that was asked for";
  throw new AgentError("model.bad_response", `What ${model} answered ${why}.`, {
    details: { model, usage },
  });
}
