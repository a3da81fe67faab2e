import { createHash, timingSafeEqual } from "node:crypto";

/** Takes as long for a secret that is nearly right as for one that is not; nothing is never right. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(secret)) && given !== "";
}

/** Digests have one length, whatever was given. */
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
