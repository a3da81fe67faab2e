/** The ways in which a secret shows up in text: as it is, in base64, in hexadecimal, percent-encoded, inside JSON. */

const textEncoder = new TextEncoder();
const shortestForm = 8;

/** A secret shorter than this would turn ordinary words into `[redacted]`; it is not looked for. */
export const shortestSecret = 8;

export type SecretForms = {
  readonly literal: readonly string[];
  /** Where one of these is found, the whole run of base64 characters around it belongs to it. */
  readonly base64: readonly string[];
};

export function formsOf(secret: string): SecretForms {
  const bytes = textEncoder.encode(secret);
  const quoted = jsonEscaped(secret);
  const literal = [secret, quoted, jsonEscaped(quoted), secret.replaceAll("/", "\\/")];
  return {
    literal: [...new Set([...literal, ...percentForms(bytes), ...hexForms(bytes)])],
    base64: [...new Set([0, 1, 2].flatMap((shift) => base64Forms(bytes, shift)))],
  };
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const unreserved: ReadonlySet<number> = new Set(
  textEncoder.encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"),
);
const keptByEncodeUri: ReadonlySet<number> = new Set([
  ...unreserved,
  ...textEncoder.encode("!'()*"),
]);

function percentForms(bytes: Uint8Array): string[] {
  const strict = percentEncoded(bytes, unreserved);
  const loose = percentEncoded(bytes, keptByEncodeUri);
  const both = [strict, loose].flatMap((form) => [form, form.replaceAll("%20", "+")]);
  return both.flatMap((form) => [
    form,
    form.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
  ]);
}

function percentEncoded(bytes: Uint8Array, kept: ReadonlySet<number>): string {
  return Array.from(bytes, (byte) =>
    kept.has(byte)
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}

function hexForms(bytes: Uint8Array): string[] {
  const form = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [form, form.toUpperCase()];
}

/** The characters of the base64 of `something + secret + something` that depend on the secret alone; `shift` is the length
 *  of what stands before it, modulo 3. */
function base64Forms(bytes: Uint8Array, shift: number): string[] {
  const padded = new Uint8Array(shift + bytes.length);
  padded.set(bytes, shift);
  const encoded = btoa(Array.from(padded, (byte) => String.fromCharCode(byte)).join(""));
  const first = Math.ceil((shift * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  const form = encoded.slice(first, end);
  if (form.length < shortestForm) return [];
  return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
}
