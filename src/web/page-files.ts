import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentError } from "../schema/errors.ts";

/** What can be fetched without the token: the empty page and the charts, which hold nothing of this home. */
export type PageFile = { readonly type: string; readonly body: Buffer };

export type ChartPicture = { readonly name: string; readonly svg: string };

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";

/** Every path that is served, and nothing else is.
 *  @param built the folder of the compiled program   @throws AgentError internal: it is not built */
export function pageFiles(
  built: string,
  charts: readonly ChartPicture[],
): ReadonlyMap<string, PageFile> {
  const read = (path: string, type: string) =>
    [`/${path}`, { type, body: load(built, path) }] as const;
  const page = "web/page";
  return new Map([
    ["/", { type: html, body: load(built, `${page}/index.html`) }],
    read(`${page}/style.css`, "text/css; charset=utf-8"),
    read(`${page}/icon.svg`, "image/svg+xml"),
    ...scriptsIn(join(built, page)).map((name) => read(`${page}/${name}`, script)),
    read("text/clean-text.js", script),
    ...charts.map(
      ({ name, svg }) =>
        [`/charts/${name}.svg`, { type: "image/svg+xml", body: unstyled(svg) }] as const,
    ),
  ]);
}

/** The page has the colours: it takes no style from inside a picture. */
function unstyled(svg: string): Buffer {
  return Buffer.from(svg.replace(/<style>[^<]*<\/style>/, ""));
}

function scriptsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".js"));
  } catch (cause) {
    throw notBuilt(cause);
  }
}

function load(built: string, path: string): Buffer {
  try {
    return readFileSync(join(built, path));
  } catch (cause) {
    throw notBuilt(cause);
  }
}

function notBuilt(cause: unknown): AgentError {
  return new AgentError("internal", "The inspector's page is not built.", {
    cause,
    hint: "`npm run build` builds it",
  });
}
