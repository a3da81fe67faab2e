/** Where a message stands among all others: behind what earlier transitions wrote. */

/** A transition writes one message, or, where a conversation is forked, all that it carries. */
const perTransition = 1000;

/** The first position of the transition with this number. */
export function positionOf(seq: number): number {
  return seq * perTransition;
}
