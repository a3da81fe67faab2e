import { expect, it } from "vitest";
import { readCommand } from "../../src/policy/shell-command.ts";
import { reachOf } from "../../src/policy/shell-grant.ts";

const reach = (command: string) => reachOf(readCommand(command));

it.each([
  ["ls | sh", "it is no single simple command of plain words"],
  ["env ls", "env runs what its arguments say"],
  ["/usr/bin/timeout 5 ls", "timeout runs what its arguments say"],
  ["python3 -c 'print(1)'", "python runs what its arguments say"],
  ["find . -delete", "find runs what its arguments say"],
  ["./node x.js", "node runs what its arguments say"],
  ["sed -n 1p a.txt", "arguments of sed can be code"],
  ["node inspect x.js", "arguments of node can be code"],
  ["git -C sub status", "options of git can name programs to run"],
  ["make -f other.mk", "options of make can be code"],
  ["npm test 'a b'", "one of its arguments may be code"],
  ["wrapit bash", "an argument is a program that runs others"],
  ["wrapit 'a b'", "one of its arguments may be code"],
  ["python3 /tmp/x.py", "/tmp/x.py is no path below its directory"],
  ["python3 a/../x.py", "a/../x.py is no path below its directory"],
])("a word about %j reaches no further than the call: %s", (command, why) => {
  expect(reach(command)).toEqual({ kind: "this_call", why });
});

it.each([
  ["ls -l", []],
  ["grep 'a b' notes.txt", []],
  ["git commit -m 'a b'", []],
  ["frobnicate --all x", []],
  ["npm run build --silent", ["package.json"]],
  ["npm test -- --watch", ["package.json"]],
  ["make -j4 all", ["GNUmakefile", "makefile", "Makefile"]],
])("a word about %j reaches as far as its words, with one of %j", (command, oneOf) => {
  expect(reach(command)).toEqual({ kind: "same_words", oneOf });
});

it.each([
  ["python3 x.py 1", "x.py"],
  ["/usr/bin/node a/b.js", "a/b.js"],
  ["./build.sh --fast", "./build.sh"],
  ["scripts/build", "scripts/build"],
  ["git status -s", undefined],
])("a word about %j reaches its other arguments too, with the script %s", (command, script) => {
  expect(reach(command)).toEqual({
    kind: "any_arguments",
    ...(script === undefined ? {} : { script }),
  });
});
