/** A signal that ends with its caller, or after a time with a TimeoutError. Not by AbortSignal.timeout: Node collects one that
 *  nothing but a signal composed of it refers to, and then it never ends. */
export type Ending = { readonly signal: AbortSignal; release(): void };

export function endingWithin(caller: AbortSignal, ms: number): Ending {
  const over = new AbortController();
  const end = () => over.abort(new DOMException("The time is over.", "TimeoutError"));
  const timer = setTimeout(end, ms);
  return {
    signal: AbortSignal.any([caller, over.signal]),
    release: () => clearTimeout(timer),
  };
}
