/** Hidden files, and what editors leave beside those that they write: our own stagings are hidden, too. */
export function isPassedOver(name: string): boolean {
  return /^\.|~$|^#.*#$|^4913$|\.(?:tmp|temp|swp|swo|bak|part|crdownload|lock)$/is.test(name);
}
