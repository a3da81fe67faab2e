const cryptoImport =
  /import\s+([^;]*?)\s*from\s*["'](?:node:)?crypto["']|(?:import|require)\(\s*["'](?:node:)?crypto["']\s*\)/g;
const hashOnly = /^\{\s*(?:createHash|hash)\s*,?\s*\}$/;

/** The imports of node:crypto that take more than `createHash` or `hash`: randomness is in there as well. */
export function impureCryptoImports(source: string): string[] {
  return [...source.matchAll(cryptoImport)]
    .filter(([, names]) => names === undefined || !hashOnly.test(names))
    .map(([statement]) => statement.replaceAll(/\s+/g, " "));
}
