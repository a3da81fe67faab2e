import type { Setting } from "../../config/settings.ts";
import { shown } from "../../text/shown.ts";

/** The settings by file: key, value, and what sets it. */
export function settingLines(settings: readonly Setting[]): string {
  const files = [...new Set(settings.map(({ file }) => file))];
  return files
    .flatMap((file) => [
      `${shown(file)}:`,
      ...settings.filter((setting) => setting.file === file).map((setting) => `  ${line(setting)}`),
    ])
    .join("\n");
}

function line({ key, value, place, variable }: Setting): string {
  const origin = place === null ? (variable ?? "default") : `line ${place.line}`;
  const name = key === "" ? "" : `${shown(key)}: `;
  return `${name}${shown(JSON.stringify(value))} (${origin})`;
}
