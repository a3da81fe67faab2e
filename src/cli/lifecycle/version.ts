import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../config/home.ts";

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as {
    readonly version: string;
  };
  return version;
}
