import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ExaminedEmbedder, ExaminedIndex } from "../../app/memory/examine-memory.ts";
import { isHome } from "../../config/home.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import { directoryFinding, privateFileFindings } from "./home-checks.ts";
import type { Patient } from "./patient.ts";

/** Whether memory can be written, is found, by its meaning too, and is seen to change. */
export async function memoryChecks(patient: Patient): Promise<readonly Finding[]> {
  const { config, context, uid, online } = patient;
  const { home } = context;
  if (!isHome(home)) return [];
  const looks = await import("../../app/memory/examine-memory.ts");
  const { closed, watches } = await looks.examineFiles(home);
  return [
    ...placeFindings(home, uid),
    ...closedFindings(home, uid, closed),
    indexFinding(looks.examineIndex(home)),
    ...(config?.ok === true ? [embedderFinding(await looks.examineEmbedder(config, online))] : []),
    ...(watches === null ? [] : [watchFinding(watches)]),
  ];
}

function placeFindings(home: string, uid: number | null): Finding[] {
  const path = join(home, "memory");
  if (!existsSync(path)) return [ok("memory", "nothing is remembered yet")];
  const directories = [path, join(home, "data/memory-versions")].filter((each) => existsSync(each));
  const wrong = [
    ...directories.map((each) => directoryFinding(each, uid)),
    ...privateFileFindings(join(home, "data/memory.db"), uid),
  ].filter(({ state }) => state !== "ok");
  return wrong.length === 0 ? [ok("memory", `${path}, of this user`)] : wrong;
}

function closedFindings(home: string, uid: number | null, closed: readonly string[]): Finding[] {
  const [first, ...others] = closed;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const found = `this user may not read or write ${first}${more}: what stands there is not found`;
  const place = `'${join(home, "memory")}'`;
  const owner = uid === null ? "" : `chown -R ${uid} ${place}; `;
  return [fail("memory files", found, `${owner}chmod -R u+rwX ${place}`)];
}

/** Nothing is ever lost with it: it is made from the files. */
function indexFinding(found: ExaminedIndex): Finding {
  const check = "memory index";
  const { path } = found;
  if ("error" in found)
    return fail(check, found.error.message, found.error.hint ?? `look at ${path}`);
  switch (found.is) {
    case "none":
      return ok(check, "there is none; the service makes it from the files");
    case "index":
      return ok(check, path);
    case "outdated":
      return ok(check, "of another version; the next start makes it anew from the files");
    case "foreign":
      return warn(check, `${path} is no index`, "`statehive restart` puts it aside and makes one");
  }
}

function embedderFinding({ id, answers, error }: ExaminedEmbedder): Finding {
  const check = "embedder";
  if (error !== null) {
    const fix = error.hint ?? "see `embeddings` in config/main.yaml; words alone decide meanwhile";
    return warn(check, id === null ? error.message : `${id}: ${error.message}`, fix);
  }
  if (id === null) return ok(check, "none is wanted: memory is found by words alone");
  return ok(check, answers ? `${id} answers` : `${id}; not asked (--online asks)`);
}

export function watchFinding({ needed, limit }: { needed: number; limit: number }): Finding {
  const check = "memory watched";
  const found = `${needed} files and directories, of ${limit} that this user may watch`;
  if (needed * 2 <= limit) return ok(check, found);
  const wanted = Math.max(needed * 4, 65_536);
  return warn(
    check,
    `${found}: what is edited may be found a minute late`,
    `sysctl fs.inotify.max_user_watches=${wanted}`,
  );
}
