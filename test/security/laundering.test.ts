import { describe, expect, it } from "vitest";
import { createShellJudging } from "./shell-judging.ts";

/** Commands that make a harmless-looking one carry another. A person has allowed a few harmless ones for the session: none of these
 *  may run by that, and a grant of one of them may reach no further than its own words. */

const files = new Map([
  ["notes.txt", "buy milk"],
  ["scripts/report.py", "print(1)"],
  ["scripts/other.py", "print(2)"],
  ["build.sh", "echo built"],
  ["evil.sh", "id"],
  ["evil.js", "1"],
  ["evil.py", "import os"],
  ["inspect", "a file that has the name of a word of node's"],
  ["python3", "exec $@"],
  ["package.json", "{}"],
  ["Makefile", "all:"],
]);

const { judge, grantsFor, terms } = createShellJudging(files);

const harmless = [
  "ls",
  "ls -l",
  "cat notes.txt",
  "echo hi",
  "git status",
  "python3 scripts/report.py",
  "./build.sh",
  "npm test",
  "make all",
  "wrapit ./evil.sh",
  "find . -name notes.txt",
];

const granted = harmless.flatMap((command) => grantsFor(command));

type Offer = "nothing" | "these words";

const rows: readonly (readonly [why: string, command: string, offered?: Offer])[] = [
  ["H01: a variable and a shell", 'env FOO=1 bash -c "rm -rf /"'],
  ["H01: a whole command in one option of env", "env -S 'bash -c id'"],
  ["H01: env before a harmless program", "env ls"],
  ["H01: nice before a harmless program", "nice -n 5 ls"],
  ["H01: a shell under a deadline", "timeout 3 sh -c id"],
  ["H01: a shell inside busybox", "busybox sh"],
  ["H01: busybox by its path", "/bin/busybox ls"],
  ["H01: xargs", "xargs rm"],
  ["H01: find that runs a program", "find . -execdir id '{}' +"],
  ["H01: find that asks first", "find . -ok id"],
  ["H01: find that deletes", "find . -delete"],
  ["H01: find that writes", "find . -fprintf out x"],
  ["H01: nohup", "nohup ls"],
  ["H01: a session of its own", "setsid ls"],
  ["H01: other buffers", "stdbuf -o0 ls"],
  ["H01: a tracer", "strace ls"],
  ["H01: a terminal's recorder", "script -c id"],
  ["H01: again and again", "watch id"],
  ["H01: under a lock", "flock lock id"],
  ["H01: on one processor", "taskset 1 id"],
  ["H01: other namespaces", "unshare id"],
  ["H01: another root", "chroot . id"],
  ["H01: another user", "sudo -n ls"],
  ["H01: many at once", "parallel id"],
  ["H01: another machine", "ssh localhost id"],
  ["H01: a wrapper that few know", "chronic ls"],
  ["H01: an unknown wrapper before a shell", "wrapit sh evil.sh"],
  ["H01: an unknown wrapper before a wrapper", "wrapit nice id"],
  ["H01: an unknown wrapper before an interpreter", "wrapit python3 scripts/report.py"],
  ["H01: an unknown wrapper before a script", "wrapit ./build.sh", "these words"],
  ["H01: an unknown wrapper with a command in one word", "wrapit 'sh evil.sh'"],
  ["H01: git that runs a command for each commit", "git bisect run sh evil.sh"],
  ["H02: a pipe into a shell", "cat notes.txt | sh"],
  ["H02: and", "ls && id"],
  ["H02: or", "ls || id"],
  ["H02: one after the other", "ls; id"],
  ["H02: in the background", "ls & id"],
  ["H02: in the background, alone", "ls &"],
  ["H02: two lines", "ls\nid"],
  ["H02: a subshell", "(ls)"],
  ["H02: a group", "{ ls; }"],
  ["H02: a here-document", "cat <<E\n$(id)\nE"],
  ["H02: a command's output as a file", "cat <(id)"],
  ["H02: a command's output as a word", "echo $(id)"],
  ["H02: the same with backquotes", "echo `id`"],
  ["H02: arithmetic around a command", "echo $((`id`))"],
  ["H02: output into a file", "ls > notes.txt"],
  ["H02: input from a file", "ls < notes.txt"],
  ["H02: one output into another", "ls 2>&1"],
  ["H02: a function", "ls() { id; }"],
  ["H02: a loop", "while ls"],
  ["H02: negated", "! ls"],
  ["H03: escapes in quotes of a shell", "$'\\x6cs'"],
  ["H03: a backslash in the name", "l\\s"],
  ["H03: a backslash and a new line", "l\\\ns"],
  ["H03: a variable in the name", "l$@s"],
  ["H03: an open quote", "ls 'a"],
  ["H03: quotes that a shell reads", 'ls "$(id)"'],
  ["H04: a variable", "A=1 ls"],
  ["H04: a library", "LD_PRELOAD=./evil.so ls"],
  ["H04: another path", "PATH=. ls"],
  ["H04: options of node", "NODE_OPTIONS=--require=./evil.js npm test"],
  ["H04: git's way to a server", "GIT_SSH_COMMAND=./evil.sh git status"],
  ["H04: a variable for what follows", "export PATH=."],
  ["H05: python's code as an argument", "python3 -c 'print(1)'"],
  ["H05: python's code from its input", "python3 -"],
  ["H05: python alone", "python3"],
  ["H05: python's module", "python3 -m http.server"],
  ["H05: python with an option before its script", "python3 -u scripts/report.py"],
  ["H05: python's script after two dashes", "python3 -- scripts/report.py"],
  ["H05: another script of the same interpreter", "python3 scripts/other.py", "these words"],
  ["H05: python by the number of its version", "python3.11 scripts/report.py", "these words"],
  ["H05: a script by another way", "python3 scripts/../evil.py"],
  ["H05: a script by its place in the sandbox", "python3 /workspace/scripts/report.py"],
  ["H05: a script that is not there", "python3 scripts/none.py"],
  ["H05: node's code", "node -e 1"],
  ["H05: node that loads something first", "node --require ./evil.js evil.js"],
  ["H05: node's debugger", "node inspect scripts/report.py"],
  ["H05: perl's code", "perl -ne print notes.txt"],
  ["H05: awk's program in quotes", "awk 'BEGIN{system(1)}'"],
  ["H05: awk's program as a plain word", "awk print notes.txt"],
  ["H05: awk's program from a file", "gawk -f evil.awk notes.txt"],
  ["H05: sed that runs what it reads", "sed s/buy/id/e notes.txt"],
  ["H05: sed's command", "sed 1eid notes.txt"],
  ["H05: tar's helper", "tar --to-command=./evil.sh -xf a.tar"],
  ["H05: tar's compressor", "tar -I ./evil.sh -cf a.tar notes.txt"],
  ["H05: git's settings", "git -c core.pager=./evil.sh log"],
  ["H05: git's own programs", "git --exec-path=. status"],
  ["H05: git's help in a viewer", "git status --help", "these words"],
  ["H05: git's search in a pager", "git grep -O./evil.sh id", "these words"],
  ["H05: an editor's command", "vim -c !id"],
  ["H05: a debugger's command", "gdb -ex 'shell id'"],
  ["H05: a database's shell", "sqlite3 a.db '.shell id'"],
  ["H05: a copier's transport", "rsync -e ./evil.sh a b"],
  ["H05: a package's program", "npx cowsay"],
  ["H05: npm with another shell", "npm test --script-shell=./evil.sh"],
  ["H05: another makefile", "make -f evil.mk all"],
  ["H05: make with another shell", "make all SHELL=./evil.sh", "these words"],
  ["H05: a build's target elsewhere", "make -C sub all"],
  ["H06: every file", "cat *"],
  ["H06: one unknown letter", "cat notes.tx?"],
  ["H06: a set of letters", "cat [a-z]otes.txt"],
  ["H06: alternatives", "cat {notes,other}.txt"],
  ["H06: a home", "ls ~"],
  ["H06: somebody's home", "ls ~root"],
  ["H06: a variable as a file", "cat $HOME/notes.txt"],
  ["H06: a variable in quotes", 'cat "$HOME/notes.txt"'],
  ["H07: a login shell", "/bin/zsh -lc whoami"],
  ["H07: a shell's script", "sh build.sh"],
  ["H08: a program by a way around", "/usr/bin/../bin/ls"],
  ["H08: a program through /proc", "/proc/self/root/bin/ls"],
  ["H08: a program above the workspace", "../../bin/ls"],
  ["H08: the loader", "/lib64/ld-linux-x86-64.so.2 /bin/ls"],
  ["H08: a file of the workspace with a program's name", "./ls"],
  ["H08: a file of the workspace with an interpreter's name", "./python3 scripts/report.py"],
  ["H09: a carriage return", "ls\r"],
  ["H09: a space that is none", "ls\u00a0-l"],
  ["H09: a character of no width", "l\u200bs"],
  ["H09: another alphabet", "ｌｓ"],
  ["H09: a filler", "ls\u3164"],
  ["H09: text that runs backwards", "ls \u202el-"],
];

const forms = rows.map(([why, command, offered = "nothing"]) => [why, command, offered] as const);

describe("a command that carries another", () => {
  it.each(forms)("%s: %j does not run by what was granted to others", (_, command) => {
    expect(judge(command, granted)).toMatchObject({ verdict: "ask" });
  });

  it.each(forms.filter(([, , offered]) => offered === "nothing"))(
    "%s: %j is asked about each time",
    (_, command) => {
      expect(grantsFor(command)).toEqual([]);
    },
  );

  it.each(forms.filter(([, , offered]) => offered === "these words"))(
    "%s: %j, once granted, runs in these words and lets nothing else run",
    (_, command) => {
      const own = grantsFor(command);
      expect(judge(command, own)).toMatchObject({ verdict: "run" });
      expect(judge(command, own, "scripts")).toMatchObject({ verdict: "ask" });
      const others = [...harmless, ...forms.map(([, form]) => form)];
      const runs = others.filter((other) => judge(other, own).verdict === "run");
      expect(runs).toEqual([command]);
    },
  );

  it("is held against more than the 49 forms of the guard's prototype", () => {
    expect(new Set(forms.map(([, command]) => command)).size).toBe(forms.length);
    expect(forms.length).toBeGreaterThan(100);
  });
});

const nearby: readonly (readonly [command: string, others: readonly string[]])[] = [
  ["ls -l", ["ls", "ls -a", "ls -l notes.txt", "ls -l -a"]],
  ["cat notes.txt", ["cat", "cat package.json", "cat notes.txt package.json"]],
  ["npm test", ["npm", "npm run test", "npm test -- -u", "npm install"]],
  ["make all", ["make", "make install", "make all install"]],
  ["wrapit ./evil.sh", ["wrapit", "wrapit ./build.sh", "wrapit ./evil.sh 1"]],
];

describe("a harmless command", () => {
  it.each(nearby)("H07: %j, once granted, runs in these words and no others", (command, others) => {
    const own = grantsFor(command);
    expect(judge(command, own)).toMatchObject({ verdict: "run" });
    for (const other of others) expect([other, judge(other, own).verdict]).toEqual([other, "ask"]);
    expect(judge(command, own, "scripts").verdict).toBe("ask");
  });

  it.each([
    ["python3 scripts/report.py", "python3 scripts/report.py --month 11 'a b'"],
    ["/usr/bin/python3 scripts/report.py", "python3 scripts/report.py"],
    ["./build.sh", "./build.sh --fast"],
    ["git status", "git status --short scripts"],
  ])("%j, once granted, runs with other arguments: %j", (command, other) => {
    expect(judge(other, grantsFor(command))).toMatchObject({ verdict: "run" });
  });

  it("H03: is known through quotes that change nothing", () => {
    expect(judge("l''s \"-l\"", grantsFor("ls -l"))).toMatchObject({ verdict: "run" });
    expect(judge("r''m x").requested).toEqual(["shell.exec:rm x"]);
  });

  it("is offered in words that tell what would be allowed", () => {
    expect(terms("ls -l")).toBe("exactly this command, run in the workspace");
    expect(terms("cat notes.txt", "scripts")).toBe("exactly this command, run in scripts");
    expect(terms("git status -s")).toBe("with any further arguments, run in the workspace");
    expect(terms("python3 scripts/report.py 1")).toBe(
      "with any further arguments, run in the workspace, while scripts/report.py stays as it is",
    );
    expect(terms("npm test")).toBe(
      "exactly this command, run in the workspace, while package.json stays as it is",
    );
    expect(terms("wrapit ./evil.sh build.sh")).toBe(
      "exactly this command, run in the workspace, while ./evil.sh, build.sh stay as they are",
    );
  });
});

describe("a file that a granted command runs", () => {
  it.each([
    ["python3 scripts/report.py", "scripts/report.py", "scripts/report.py has changed"],
    ["./build.sh --fast", "build.sh", "./build.sh has changed"],
    ["npm test", "package.json", "package.json has changed"],
    ["make all", "Makefile", "Makefile has changed"],
    ["wrapit ./evil.sh", "evil.sh", "./evil.sh has changed"],
    ["wrapit -f./evil.sh notes.txt", "evil.sh", "One of the files that it names has changed"],
  ])(
    "H10: ends the grant of %j when it changes, and the question says so",
    (command, path, why) => {
      const present = new Map(files);
      const judging = createShellJudging(present);
      const own = judging.grantsFor(command);
      expect(judging.judge(command, own).verdict).toBe("run");
      present.set(path, "something else");
      expect(judging.judge(command, own)).toMatchObject({
        verdict: "ask",
        reason: `Guarded; ${why} since it was allowed; asks.`,
      });
      present.set(path, files.get(path) ?? "");
      expect(judging.judge(command, own).verdict).toBe("run");
    },
  );

  it("H10: ends it too when it appears where none was", () => {
    const present = new Map(files);
    const judging = createShellJudging(present);
    const own = judging.grantsFor("npm test");
    present.set(".npmrc", "script-shell=./evil.sh");
    expect(judging.judge("npm test", own).verdict).toBe("ask");
  });

  it("is offered to nobody where it cannot be watched", () => {
    const reason = "huge.bin is larger than 1048576 bytes.";
    const { judge: judged } = createShellJudging(files, {
      digest: () => ({ kind: "unfit", reason }),
    });
    for (const command of ["wrapit huge.bin", "python3 huge.bin", "./huge.bin", "npm test"])
      expect(judged(command)).toMatchObject({
        proposed_grants: [],
        reason: expect.stringContaining("only this call can be allowed: huge.bin is larger than"),
      });
    expect(judged("cat huge.bin").proposed_grants).toEqual(["shell.exec:cat huge.bin"]);
  });

  it("is offered to nobody where it is not there or names more than can be watched", () => {
    expect(judge("npm test", [], "scripts").reason).toBe(
      "Guarded; no grant covers shell.exec:npm test; only this call can be allowed: there is no package.json in its directory; asks.",
    );
    const many = Array.from({ length: 33 }, (_, index) => `f${index}`).join(" ");
    expect(judge(`wrapit ${many}`).reason).toContain(
      "only this call can be allowed: it names more files than can be watched for changes; asks.",
    );
  });
});
