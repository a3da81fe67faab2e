import { errorCodes } from "../src/schema/errors.ts";
import type { GeneratedFile } from "./generated-file.ts";

const head = `# Error codes

Made from \`errorCodes\` in src/schema/errors.ts by \`npm run generate\`; do not edit. Every error that statehive shows,
stores or sends carries one of these codes; scripts and machines branch on the code, never on the message.

| code | what it means and what to do |
|---|---|`;

export function errorDocument(): GeneratedFile {
  const rows = Object.entries(errorCodes)
    .toSorted(([one], [other]) => one.localeCompare(other, "en"))
    .map(([code, meaning]) => `| \`${code}\` | ${meaning.replaceAll("|", "\\|")} |`);
  return { path: "docs/errors.md", content: `${[head, ...rows].join("\n")}\n` };
}
