/** Hidden files, and what editors leave beside those that they write: our own stagings are hidden, too. */
export function isPassedOver(name: string): boolean {
  return /^\.|~$|^#.*#$|^4913$|\.(?:tmp|temp|swp|swo|bak|part|crdownload|lock)$/is.test(name);
}

const unseen = /\p{Cc}|\p{Surrogate}|\uFFFD/u;

/** A name that people could not tell apart, or that would write on their screens. */
export function cannotBeShown(path: string): boolean {
  return unseen.test(path);
}
