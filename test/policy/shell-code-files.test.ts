import { expect, it } from "vitest";
import { codeWords, mostWatchedFiles } from "../../src/policy/shell-code-files.ts";
import { readCommand } from "../../src/policy/shell-command.ts";

const wordsOf = (command: string) => codeWords(readCommand(command));

it.each([
  ["python3 scripts/x.py data.csv", ["scripts/x.py"]],
  ["./build.sh data.csv", ["./build.sh"]],
  ["cat notes.txt", []],
  ["git status notes.txt", []],
  ["git add notes.txt", []],
  ["npm test", ["package.json", ".npmrc", "test"]],
  ["make", ["GNUmakefile", "makefile", "Makefile"]],
  ["pytest -x tests/a.py", ["tests/a.py"]],
  ["gcc -fplugin=./x.so a.c", ["./x.so", "a.c"]],
  ["make -f./evil.mk all", ["GNUmakefile", "makefile", "Makefile", "./evil.mk", "all"]],
  ["timeout 5 ./x.sh", ["5", "./x.sh"]],
  ["sh x.sh", ["x.sh"]],
  ["find . -execdir ./x.sh +", [".", "xecdir", "./x.sh", "+"]],
  ["node --require ./a.js b.js", ["./a.js", "b.js"]],
  ["./sh x.sh", ["./sh", "x.sh"]],
])("of the command %j watches %j", (command, words) => {
  expect(wordsOf(command)).toEqual(words);
});

it.each([
  ["cd sub && python3 x.py", ["x.py"]],
  ["./a.sh; A=1 ./b.sh | tee log", ["./a.sh", "./b.sh"]],
  ["cat x.sh | sh", ["x.sh"]],
  ["if true; then ./c.sh; fi", ["./c.sh"]],
  ["sh < d.sh", ["d.sh"]],
  ['"./e.sh" $(./f.sh)', ["./e.sh", "./f.sh"]],
])("of the shell text %j watches %j among others", (text, words) => {
  expect(wordsOf(text)).toEqual(expect.arrayContaining(words));
});

it("watches nothing of shell text that only shows and writes", () => {
  expect(wordsOf("cat notes.txt > out.txt")).toEqual([]);
});

it("watches a bounded number of files, and tells one more where there are more", () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `f${index}`).join(" ");
  expect(wordsOf(`pytest ${many}`)).toHaveLength(mostWatchedFiles + 1);
  expect(wordsOf(`sh -c "${many}"; ls`)).toHaveLength(mostWatchedFiles + 1);
});
