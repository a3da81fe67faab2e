/** A line of bash up to the cursor as words: enough of its quoting to know where one begins. */

const rawWord = /(?:[^\s\\'"]|\\.?|'[^']*'?|"(?:[^"\\]|\\.)*"?)+/gs;
const quoted = /\\(?<one>.?)|'(?<single>[^']*)'?|"(?<double>(?:[^"\\]|\\.)*)"?/gs;

/** The last word is the one that is being written; empty behind a blank. */
export function wordsOf(line: string): string[] {
  const found = [...line.matchAll(rawWord)];
  const last = found.at(-1);
  const isBegun = last !== undefined && last.index + last[0].length === line.length;
  return [...found.map(([raw]) => plain(raw)), ...(isBegun ? [] : [""])];
}

function plain(raw: string): string {
  return raw.replaceAll(quoted, (...found: readonly unknown[]) => {
    const { one, single, double } = found.at(-1) as {
      readonly [group: string]: string | undefined;
    };
    return one ?? single ?? (double ?? "").replaceAll(/\\(.)/gs, "$1");
  });
}

/** What bash replaces: of `--format=m` only `m`, where `=` is one of its breaks. */
export function lastPartOf(word: string, breaks: string): string {
  let start = 0;
  for (let at = 0; at < word.length; at += 1)
    if (":=".includes(word.charAt(at)) && breaks.includes(word.charAt(at))) start = at + 1;
  return word.slice(start);
}
