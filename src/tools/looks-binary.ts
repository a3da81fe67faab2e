const sniffedBytes = 8192;

/** Whether a file or an output that begins so is shown to nobody: text has no NUL. */
export function looksBinary(start: Uint8Array): boolean {
  return start.subarray(0, sniffedBytes).includes(0);
}
