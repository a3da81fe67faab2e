/** A word for a command line by which its process can be found among all others. */
export function nonce(): string {
  return `${process.pid}.${Math.random().toString().slice(2)}`;
}
