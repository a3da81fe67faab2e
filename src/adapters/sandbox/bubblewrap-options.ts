import { lstatSync, readlinkSync } from "node:fs";
import { programEnvironment } from "./program-surroundings.ts";

/** What a sandboxed program sees. Source: docs/decisions/0011-shell-in-bubblewrap.md */

export const workspacePlace = "/workspace";

const mebibyte = 1024 * 1024;

const temporaryBytes = 128 * mebibyte;
const sharedMemoryBytes = 64 * mebibyte;

/** The numeric ids are those seen inside; outside, the processes are the service's user. */
const identity = words("--uid 1000 --gid 1000 --hostname sandbox");

const confinement = words("--cap-drop ALL --new-session --die-with-parent --as-pid-1 --clearenv");

const namespaces = words(
  "--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try",
);

/** Directories that most systems link into /usr and others still have beside it. */
const systemDirectories = words("bin sbin lib lib32 lib64 libx32");
const systemFiles = words("/etc/alternatives /etc/ld.so.cache /etc/localtime");

/** What the kernel shows of the whole machine; a service that runs as root could otherwise read it here. */
const maskedKernelFiles = words(
  "kcore keys kmsg kpagecgroup kpagecount kpageflags sched_debug timer_list",
);

const temporaryPlaces = words(
  `--dev /dev --size ${sharedMemoryBytes} --tmpfs /dev/shm --remount-ro /dev --size ${temporaryBytes} --tmpfs /tmp`,
);

function words(text: string): readonly string[] {
  return text.split(" ");
}

function systemDirectory(name: string): string[] {
  const found = lstatSync(`/${name}`, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isSymbolicLink()) return ["--symlink", readlinkSync(`/${name}`), `/${name}`];
  return ["--ro-bind", `/${name}`, `/${name}`];
}

function systemMounts(): string[] {
  const directories = systemDirectories.flatMap(systemDirectory);
  const files = systemFiles.flatMap((path) => ["--ro-bind-try", path, path]);
  return ["--ro-bind", "/usr", "/usr", ...directories, "--dir", "/etc", ...files];
}

/** Read only as a whole: to root's processes the kernel's switches (/proc/sys/kernel/core_pattern) are files of their own. */
function kernelMount(): string[] {
  const masks = maskedKernelFiles
    .map((name) => `/proc/${name}`)
    .filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    .flatMap((path) => ["--ro-bind", "/dev/null", path]);
  return ["--proc", "/proc", ...masks, "--remount-ro", "/proc"];
}

function workspaceMount(workspace: string | undefined): string[] {
  return workspace === undefined
    ? ["--dir", workspacePlace]
    : ["--bind", workspace, workspacePlace];
}

function heldFileMount({ descriptor, at, isExecutable }: HeldFile): string[] {
  const permissions = isExecutable ? "0755" : "0644";
  return ["--perms", permissions, "--ro-bind-data", `${descriptor}`, at];
}

/** What depends on bwrap's version. */
export type BubblewrapAbilities = {
  /** Whether it can forbid user namespaces inside. */
  readonly canDisableUserNamespaces: boolean;
  /** Whether it can put a file with the right permissions in another's place. */
  readonly canHoldFiles: boolean;
};

/** A file of the workspace in whose place stands what it held when it was looked at. */
export type HeldFile = {
  /** From which bwrap reads the content. */
  readonly descriptor: number;
  readonly at: string;
  readonly isExecutable: boolean;
};

export type SandboxShape = BubblewrapAbilities & {
  /** The agent's workspace; nothing is mounted there without one. */
  readonly workspace?: string;
  readonly directory: string;
  readonly held?: HeldFile;
};

/** All of bwrap's options; `--` and the program follow. */
export function bubblewrapOptions(shape: SandboxShape): readonly string[] {
  const { workspace, directory, held, canDisableUserNamespaces } = shape;
  return [
    ...namespaces,
    ...(canDisableUserNamespaces ? ["--disable-userns"] : []),
    ...identity,
    ...confinement,
    ...Object.entries(programEnvironment).flatMap(([name, value]) => ["--setenv", name, value]),
    ...systemMounts(),
    ...kernelMount(),
    ...temporaryPlaces,
    ...workspaceMount(workspace),
    ...(held === undefined ? [] : heldFileMount(held)),
    "--remount-ro",
    "/",
    "--chdir",
    directory,
  ];
}
