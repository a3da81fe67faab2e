import { formsOf } from "./secret-forms.ts";
import { createWordScan, type WordScan } from "./text-scan.ts";

/** Finds secrets in all their forms. */

export const redacted = "[redacted]";

export type Span = { start: number; end: number };

export type SecretScan = {
  readonly scan: WordScan;
  /** Whether a found word is a secret in base64: then the whole run of such characters around it belongs to it. */
  readonly isBase64: (word: number) => boolean;
};

/** @returns undefined where there is nothing to find */
export function createSecretScan(secrets: readonly string[]): SecretScan | undefined {
  const forms = secrets.map(formsOf);
  const literal = new Set(forms.flatMap((form) => form.literal).filter((form) => form !== ""));
  const base64 = forms.flatMap((form) => form.base64).filter((form) => !literal.has(form));
  const words = [...new Set([...literal, ...base64])];
  if (words.length === 0) return undefined;
  return { scan: createWordScan(words), isBase64: (word) => word >= literal.size };
}

const base64Units: ReadonlySet<number> = new Set(
  Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=", (char) =>
    char.charCodeAt(0),
  ),
);

export function isBase64Unit(unit: number): boolean {
  return base64Units.has(unit);
}
