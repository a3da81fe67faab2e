import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const withoutCode = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");

/** As GitHub does: lower case, only letters, digits, spaces, - and _; spaces become -. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "");
  return words.trim().replaceAll(" ", "-");
}

function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading)));
}

/** The links of a Markdown file that lead to no file or heading of the tree; links to the web are not followed. */
export function brokenLinks(root: string, file: string): string[] {
  const text = withoutCode(readFileSync(join(root, file), "utf8"));
  const links = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .flatMap((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? join(root, file) : join(root, dirname(file), path);
      if (!existsSync(target)) return [`${file}: ${path} does not exist`];
      const isHeading = anchor === undefined || anchorsOf(target).has(anchor);
      return isHeading ? [] : [`${file}: ${link} names no heading`];
    });
}
