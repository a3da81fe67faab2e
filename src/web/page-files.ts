import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { AgentError } from "../schema/errors.ts";

/** What can be fetched without the token: the empty page and the charts, which hold nothing of this home. */
export type PageFile = { readonly type: string; readonly body: Buffer };

export type ChartPicture = { readonly name: string; readonly svg: string };

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const picture = "image/svg+xml";

/** Every path that is served, and nothing else is.
 *  @param built the folder of the compiled program   @throws AgentError internal: it is not built */
export function pageFiles(
  built: string,
  charts: readonly ChartPicture[],
): ReadonlyMap<string, PageFile> {
  const page = "/web/page";
  const read = (path: string, type: string) => ({ type, body: load(built, path) });
  const scripts = new Map<string, PageFile>();
  const take = (path: string) => {
    if (scripts.has(path)) return;
    const file = read(path, script);
    scripts.set(path, file);
    importsOf(path, file).forEach(take);
  };
  take(`${page}/main.js`);
  return new Map([
    ["/", read(`${page}/index.html`, html)],
    [`${page}/style.css`, read(`${page}/style.css`, "text/css; charset=utf-8")],
    [`${page}/icon.svg`, read(`${page}/icon.svg`, picture)],
    ...scripts,
    ...charts.map(
      ({ name, svg }) => [`/charts/${name}.svg`, { type: picture, body: unstyled(svg) }] as const,
    ),
  ]);
}

/** The modules that a module of ours names. */
function importsOf(path: string, { body }: PageFile): readonly string[] {
  const names = body.toString("utf8").matchAll(/^(?:import|export) [^;]*?"(\.[^"]+)";/gm);
  return [...names].map(([, name = ""]) => posix.join(posix.dirname(path), name));
}

/** The page has the colours: it takes no style from inside a picture. */
function unstyled(svg: string): Buffer {
  return Buffer.from(svg.replace(/<style>[^<]*<\/style>/, ""));
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
