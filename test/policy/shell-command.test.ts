import { describe, expect, it } from "vitest";
import { matchesCapability } from "../../src/policy/capability.ts";
import { anyShellText, commandCapability, readCommand } from "../../src/policy/shell-command.ts";

describe("a single literal simple command", () => {
  it.each([
    ["ls", ["ls"]],
    ["ls -la", ["ls", "-la"]],
    ["  ls \t -la \n", ["ls", "-la"]],
    ["npm run build -- --watch=false", ["npm", "run", "build", "--", "--watch=false"]],
    ["cat 'my notes.txt' \"$\"", undefined],
    ["cat 'my notes.txt' \"your notes.txt\"", ["cat", "my notes.txt", "your notes.txt"]],
    ["echo 'a;b|c&d>e<f$(g)`h`*?[i]{j}~!#'", ["echo", "a;b|c&d>e<f$(g)`h`*?[i]{j}~!#"]],
    ["echo a'b'\"c\"d", ["echo", "abcd"]],
    ["echo '' \"\"", ["echo", "", ""]],
    ["git commit -m 'two\nlines'", ["git", "commit", "-m", "two\nlines"]],
    ["./build.sh", ["./build.sh"]],
    ["/usr/bin/env", ["/usr/bin/env"]],
  ])("%j is the words %j", (command, argv) => {
    expect(readCommand(command)).toEqual(
      argv === undefined ? { kind: "shell", text: command } : { kind: "argv", argv },
    );
  });

  it.each([
    "",
    "   ",
    "''",
    "ls | sh",
    "ls && id",
    "ls; id",
    "ls & id",
    "ls\nid",
    "(ls)",
    "ls > out",
    "ls 2>&1",
    "cat <(id)",
    "echo $(id)",
    "echo `id`",
    'echo "$HOME"',
    'echo "`id`"',
    "echo $HOME",
    "echo $((1+1))",
    "echo ~",
    "ls *.txt",
    "ls a?c",
    "ls [ab]",
    "echo {a,b}",
    "A=1 ls",
    "LD_PRELOAD=./x.so ls",
    "echo a\\ b",
    "echo a\\",
    "l\\s",
    "r$'\\x6d' x",
    "echo 'unclosed",
    'echo "unclosed',
    "echo # comment",
    "!ls",
    "-x ls",
    "cd src",
    "export A=1",
    ". ./script",
    "source script",
    "eval ls",
    "exec ls",
    "if true",
    "ls\r\n",
    "ls\0",
    "ls\u00a0-la",
    "ｌｓ",
    "ls \u202e",
    "rm\u200b x",
    "rm\u3164 x",
    "/proc/self/root/bin/rm x",
    "/usr/bin/../bin/rm x",
    "../../bin/rm x",
    "/lib64/ld-linux-x86-64.so.2 /bin/rm",
  ])("%j is none: only a shell can read it", (command) => {
    expect(readCommand(command)).toEqual({ kind: "shell", text: command });
    expect(commandCapability(command)).toBe(anyShellText);
  });
});

describe("the capability of a command", () => {
  it.each([
    ["ls -la", "shell.exec:ls"],
    ["git status --short", "shell.exec:git status"],
    ["npm test", "shell.exec:npm test"],
    ["npm run build", "shell.exec:npm run build"],
    ["python3 script.py --fast", "shell.exec:python3 script.py"],
    ["cat 'my notes.txt'", "shell.exec:cat"],
    ["./build.sh", "shell.exec:./build.sh"],
    ["/bin/rm x", "shell.exec:rm x"],
    ["/usr/bin/rm x", "shell.exec:rm x"],
    ["find . -name '*.ts'", "shell.exec:find ."],
  ])("of %j is %s", (command, capability) => {
    expect(commandCapability(command)).toBe(capability);
  });

  it.each([
    'env FOO=1 bash -c "rm -rf /"',
    "env -S 'bash -c id'",
    "nice ls",
    "timeout 3 sh -c id",
    "busybox sh",
    "xargs rm",
    "find . -exec rm {} +",
    "find . -exec rm ;",
    "find . -delete",
    "sh script.sh",
    "bash -c 'rm x'",
    "/bin/zsh -lc whoami",
    "python3 -c 'print(1)'",
    "node",
    "perl -e 'unlink x'",
    "awk 'BEGIN{system(1)}'",
    "sudo ls",
    "setsid sleep 9",
  ])("H01, H05: of %j is that of any shell text", (command) => {
    expect(commandCapability(command)).toBe(anyShellText);
  });

  it("is covered by its own text and by `*`, and by nothing else", () => {
    const capability = commandCapability("git status");
    expect(matchesCapability("shell.exec:git status", capability)).toBe(true);
    expect(matchesCapability("shell.exec:*", capability)).toBe(true);
    expect(matchesCapability("shell.exec:git", capability)).toBe(false);
    expect(matchesCapability("shell.exec:git *", capability)).toBe(false);
  });
});
