import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = "/usr/bin/chromium";

/** Debian's Chromium, without a window.
 *  @param names that lead to this machine, as somebody's own name server would have it */
export function openBrowser(names: readonly string[] = []): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`These tests need ${executablePath}: apt-get install chromium`);
  }
  const rules = names.map((name) => `MAP ${name} 127.0.0.1`).join(", ");
  return chromium.launch({
    executablePath,
    timeout: 240_000,
    args: ["--no-sandbox", ...(rules === "" ? [] : [`--host-resolver-rules=${rules}`])],
  });
}
