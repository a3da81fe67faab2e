/** What is known of programs by their names. A program that stands in no list here may run anything: what people can grant for
 *  it is the narrowest (shell-grant.ts). */

function named(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(" ").split(" "));
}

/** Words that mean something to a shell alone. */
export const shellWords = named(
  "alias bg break builtin case cd command continue declare do done elif else esac eval exec exit export fg fi for function",
  "getopts hash if in jobs let local readonly read return select set shift shopt source then times trap type typeset ulimit",
  "umask unalias unset until wait while .",
);

/** Programs that run what their arguments say: a rule about them would be a rule about anything. */
const runners = named(
  "ash bash busybox catchsegv chroot chronic chrt csh daemonize dash dbus-run-session doas eatmydata entr env expect fakechroot",
  "fakeroot faketime firejail fish flock gosu hyperfine ionice ksh linux32 linux64 ltrace nice nohup nsenter numactl parallel",
  "perf pkexec prlimit proot pwsh rbash rlwrap run-parts runuser screen script setarch setpriv setsid sg sh ssh",
  "start-stop-daemon stdbuf strace su sudo systemd-run taskset tcsh time timeout tini tmux torsocks toybox unbuffer unshare",
  "valgrind watch watchexec xargs xvfb-run zsh",
);

/** Programs that read a program from their arguments when these begin with an option. */
const interpreters = named(
  "awk bun deno gawk groovy jshell lua mawk nawk node nodejs perl php python ruby tclsh",
);

/** Of these the first argument, where it is a file, is what they run; the arguments after it are the script's own. */
const scriptInterpreters = named("lua node nodejs perl php python ruby");

/** First arguments that mean more to an interpreter than the file of that name. */
const interpreterWords = named("inspect");

/** Programs to which arguments of several kinds are code: an expression, a file of commands, a program to call. */
const codeTakers = named(
  "R Rscript at awk batch bun bunx crontab dc deno dotnet ed elixir emacs erl ex gawk gdb ghci gnuplot groovy guile java",
  "jshell julia kotlin less lldb m4 man mawk more mysql nano nawk nvim npx ocaml octave openssl psql pypy racket rsync runghc",
  "sbcl scala sed sqlite swift tar tclsh tsx ts-node vi view vim zip",
);

/** Programs to which files are data, whatever options they get: they never run what an argument names. */
const plainTools = named(
  "b2sum basename cat chmod cksum cmp comm cp cut date df diff dirname du echo egrep expr false fgrep file find grep gunzip gzip",
  "head hexdump id jq ln ls md5sum mkdir mv nl od paste printf pwd readlink realpath rev rm rmdir seq sha1sum sha256sum",
  "sha512sum stat strings tac tail test touch tr tree true truncate uname uniq unzip wc which whoami xxd",
);

/** Subcommands that run no program and write nothing, whatever their further arguments. */
const harmlessSubcommands: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["git", named("describe ls-files ls-tree merge-base rev-parse show-ref status")],
]);

/** Subcommands to which files are data. */
const plainSubcommands: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "git",
    named("add blame branch checkout commit diff log mv restore rm shortlog show stash switch tag"),
  ],
]);

export type Manifests = {
  /** One of these must be there: else the program looks for it elsewhere. */
  readonly oneOf: readonly string[];
  readonly also: readonly string[];
};

/** Files of the directory that say what a program does when it is called without naming them. */
const manifests: ReadonlyMap<string, Manifests> = new Map([
  ["npm", { oneOf: ["package.json"], also: [".npmrc"] }],
  ["pnpm", { oneOf: ["package.json"], also: [".npmrc", "pnpm-workspace.yaml"] }],
  ["yarn", { oneOf: ["package.json"], also: [".yarnrc", ".yarnrc.yml"] }],
  ["make", { oneOf: ["GNUmakefile", "makefile", "Makefile"], also: [] }],
]);

const plainName = /^[A-Za-z0-9_./+@][A-Za-z0-9_./+@:-]*$/;
const ofVersion = new Set("0123456789.");
const executingOption = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/;
const harmlessOption = /^-(?:j\d*|k|s|B|-silent)$/;

export type Argv = readonly [string, ...string[]];

export function isPlainName(word: string): boolean {
  return plainName.test(word);
}

/** `/usr/bin/python3.11` is called python. */
export function baseName(program: string): string {
  const name = program.slice(program.lastIndexOf("/") + 1);
  let end = name.length;
  while (ofVersion.has(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end) || name;
}

function isRunner(program: string): boolean {
  return runners.has(program) || runners.has(baseName(program));
}

export function runsWhatItIsTold([program, ...rest]: Argv): boolean {
  if (isRunner(program)) return true;
  const name = baseName(program);
  if (name === "find" && rest.some((argument) => executingOption.test(argument))) return true;
  return interpreters.has(name) && !isPlainName(rest[0] ?? "");
}

/** Whether none of the files that it names is run by it. Of a system program only: a file of the workspace may have any name. */
export function takesOnlyData(argv: Argv): boolean {
  const [program, subcommand = ""] = argv;
  const name = baseName(program);
  if (plainTools.has(name)) return !runsWhatItIsTold(argv);
  return plainSubcommands.get(name)?.has(subcommand) === true;
}

/** The file that an interpreter is to run; nothing where the arguments say more than that. */
export function scriptOf([program, first = ""]: Argv): string | undefined {
  if (!scriptInterpreters.has(baseName(program)) || interpreterWords.has(first)) return undefined;
  return isPlainName(first) ? first : undefined;
}

export function takesCode(program: string): boolean {
  const name = baseName(program);
  return codeTakers.has(name) || interpreters.has(name);
}

/** Whether one of the arguments is the name of a shell, an interpreter or another program that runs what it is told. */
export function namesAnotherProgram(rest: readonly string[]): boolean {
  return rest.some((argument) => isRunner(argument) || takesCode(argument));
}

/** `--help` may start a viewer that the repository's own configuration names. */
export function isHarmlessSubcommand([program, subcommand = "", ...rest]: Argv): boolean {
  const known = harmlessSubcommands.get(baseName(program));
  return known?.has(subcommand) === true && !rest.includes("--help");
}

export function manifestsOf(program: string): Manifests | undefined {
  return manifests.get(baseName(program));
}

/** Whether its options can send it to another manifest than the directory's; what follows `--` is the script's. */
export function mayLookElsewhere(rest: readonly string[]): boolean {
  const end = rest.indexOf("--");
  const own = end < 0 ? rest : rest.slice(0, end);
  return own.some((argument) => argument.startsWith("-") && !harmlessOption.test(argument));
}
