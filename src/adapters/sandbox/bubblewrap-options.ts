import { lstatSync, readlinkSync } from "node:fs";

/** What a sandboxed program sees and how much it may use. Source: docs/decisions/0011-shell-in-bubblewrap.md */

export const workspacePlace = "/workspace";

/** Only what root owns: no program of the workspace can stand in for one of the system's. */
export const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const mebibyte = 1024 * 1024;

const processLimits = {
  /** Private writable memory. Not the address space, of which Node, Java and Go reserve far more than they use. */
  data: 768 * mebibyte,
  fsize: 128 * mebibyte,
  nproc: 256,
  nofile: 1024,
  core: 0,
} as const;

const temporaryBytes = 128 * mebibyte;
const sharedMemoryBytes = 64 * mebibyte;

/** The numeric ids are those seen inside; outside, the processes are the service's user. */
const identity = words("--uid 1000 --gid 1000 --hostname sandbox");

const confinement = words("--cap-drop ALL --new-session --die-with-parent --as-pid-1 --clearenv");

const environment = {
  PATH: systemPath,
  HOME: "/tmp",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  TERM: "dumb",
  NO_COLOR: "1",
} as const;

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

export type SandboxShape = {
  /** The agent's workspace; nothing is mounted there without one. */
  readonly workspace?: string;
  readonly directory: string;
  /** Whether this bwrap can forbid user namespaces inside. */
  readonly canDisableUserNamespaces: boolean;
};

/** All of bwrap's options; `--` and the program follow. */
export function bubblewrapOptions(shape: SandboxShape): readonly string[] {
  const { workspace, directory, canDisableUserNamespaces } = shape;
  return [
    ...namespaces,
    ...(canDisableUserNamespaces ? ["--disable-userns"] : []),
    ...identity,
    ...confinement,
    ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ...systemMounts(),
    ...kernelMount(),
    ...temporaryPlaces,
    ...workspaceMount(workspace),
    "--remount-ro",
    "/",
    "--chdir",
    directory,
  ];
}

/** The words that run a program under its limits, inside, where the processes of others do not count. It yields to the first
 *  process of its sandbox: among thousands of a fork bomb's that one would not get the time to end. */
export function limited(program: readonly string[]): readonly string[] {
  const limits = Object.entries(processLimits).map(([name, value]) => `--${name}=${value}`);
  return ["chrt", "--idle", "0", "prlimit", ...limits, "--", ...program];
}
