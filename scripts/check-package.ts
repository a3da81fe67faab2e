import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Packs what npm would publish and lets publint and attw look at it as a user's project would. */
const folder = mkdtempSync(join(tmpdir(), "statehive-pack-"));

function passes(command: string, args: readonly string[]): boolean {
  console.log(`$ ${command} ${args.join(" ")}`);
  return spawnSync("npx", ["--no-install", command, ...args], { stdio: "inherit" }).status === 0;
}

try {
  execFileSync("npm", ["run", "-s", "build"], { stdio: "inherit" });
  const packed = execFileSync(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
    {
      encoding: "utf8",
    },
  );
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const tarball = join(folder, filename);
  const results = [
    passes("publint", [tarball, "--strict"]),
    passes("attw", [tarball, "--profile", "esm-only"]),
  ];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
