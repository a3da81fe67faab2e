import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

/** Node, the system, the clock and the disk. */

const oldestNode = [20, 19] as const;

/** The day after which a release line of Node gets no fixes. Source: github.com/nodejs/Release, schedule.json */
const endOfLife: { readonly [major: number]: string } = {
  20: "2026-04-30",
  21: "2024-06-01",
  22: "2027-04-30",
  23: "2025-06-01",
  24: "2028-04-30",
  25: "2026-06-01",
};

export function nodeFinding(version: string, now: number): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldMajor, oldMinor] = oldestNode;
  const newer = "install Node 24, then `statehive restart`";
  if (major < oldMajor || (major === oldMajor && minor < oldMinor))
    return fail("node", `${version} is older than ${oldestNode.join(".")}`, newer);
  const end = endOfLife[major];
  if (end !== undefined && now > Date.parse(end))
    return warn("node", `${version}: Node ${major} has had no security fixes since ${end}`, newer);
  return ok("node", version);
}

export function platformFinding(platform: string): Finding {
  if (platform === "linux") return ok("platform", platform);
  return warn(
    "platform",
    `${platform} is not tested; files and commands are guarded by means that only Linux has`,
    "run it on Linux, in a container or a virtual machine",
  );
}

/** A clock that was never set; against the records it is held by the database's checks. */
export function clockFinding(now: number): Finding {
  const time = new Date(now).toISOString();
  if (now >= Date.parse("2025-01-01")) return ok("clock", time);
  return fail("clock", `it is set to ${time}`, "set the clock; `timedatectl` shows what keeps it");
}

const mebibyte = 1024 * 1024;
const scarceMebibytes = 512;
const noneMebibytes = 50;

export function diskFinding(freeBytes: number, where: string): Finding {
  const free = Math.floor(freeBytes / mebibyte);
  const found = `${free} MiB free at ${where}`;
  const fix = "make room: without it nothing can be committed and the service stands still";
  if (free < noneMebibytes) return fail("disk", found, fix);
  return free < scarceMebibytes ? warn("disk", found, fix) : ok("disk", found);
}

export function machineChecks({ context }: Patient): readonly Finding[] {
  const { home, now } = context;
  const place = nearestDirectory(home);
  const { bavail, bsize } = statfsSync(place);
  return [
    nodeFinding(process.versions.node, now),
    platformFinding(process.platform),
    clockFinding(now),
    diskFinding(bavail * bsize, place),
  ];
}

function nearestDirectory(path: string): string {
  try {
    statfsSync(path);
    return path;
  } catch {
    return nearestDirectory(dirname(path));
  }
}
