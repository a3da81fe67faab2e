import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real file system of 2 MB, where this machine lets us mount one. */
export type SmallDisk = {
  readonly directory: string;
  fill(): void;
  makeRoom(): void;
  makeReadOnly(): void;
  unmount(): void;
};

export const canMount = process.platform === "linux" && process.getuid?.() === 0 && mountWorks();

export function mountSmallDisk(): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), "statehive-disk-"));
  run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", directory);
  const ballast = join(directory, "ballast");
  return {
    directory,
    fill: () => {
      const { bavail, bsize } = statfsSync(directory);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize));
    },
    makeRoom: () => truncateSync(ballast),
    makeReadOnly: () => run("mount", "-o", "remount,ro", directory),
    unmount: () => {
      run("umount", "--lazy", directory);
      rmSync(directory, { recursive: true });
    },
  };
}

function run(command: string, ...words: readonly string[]): void {
  execFileSync(command, words, { stdio: "ignore" });
}

function mountWorks(): boolean {
  try {
    mountSmallDisk().unmount();
    return true;
  } catch {
    return false;
  }
}
