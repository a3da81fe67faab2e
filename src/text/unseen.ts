/** The characters that would steer a terminal, hide, reorder what is read, or show as nobody knows what; for a class of a
 *  regular expression with the flag u. Nothing else decides this: not the summaries of tools, not what is printed or drawn.
 *
 *  Controls, formats (direction, zero width, tags), lone surrogates, line separators; what is invisible by rule; the blank
 *  of Braille, which is no space; private use, where every font draws something else; and what is not assigned in the
 *  Unicode of this Node: a newer one may make it any of these. */
export const unseen = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}`;
