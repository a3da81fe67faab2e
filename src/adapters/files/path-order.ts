/** A directory comes right before what it holds, whatever characters its neighbours' names begin with. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  const a = left.path.replaceAll("/", "\0");
  const b = right.path.replaceAll("/", "\0");
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
