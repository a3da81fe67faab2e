/** The words of a text as the index knows them. FTS5's tokenizer unicode61 takes a run of letters for one word, which makes one
 *  word of a sentence in a script that is written without spaces; there each character is taken for a word. */

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const unspacedRuns = new RegExp(`${unspaced.source}+`, "gu");
const wordOrRun = new RegExp(
  `${unspaced.source}+|(?:(?!${unspaced.source})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`,
  "gu",
);
const meaningful = /[\p{L}\p{N}\p{Co}]/u;

/** What the index is given for a chunk's text. */
export function wordsOfText(text: string): string {
  return unspaced.test(text)
    ? text.replace(unspacedRuns, (run) => ` ${Array.from(run).join(" ")} `)
    : text;
}

const months =
  "january february march april may june july august september october november december".split(
    " ",
  );

/** What the index is given for a heading: dates with the name of their month too, as people ask by it. */
export function wordsOfHeading(heading: string): string {
  return wordsOfText(heading).replaceAll(
    /\b\d{4}-(\d{2})-(\d{2})\b/g,
    (date, month: string, day: string) =>
      `${date} ${Number(day)} ${months[Number(month) - 1] ?? ""}`,
  );
}

/** A question may be a whole page; its first words decide. */
const longestQuestion = 8_000;
const mostTerms = 64;

/** What a question is looked for by: words, and pairs of characters where a script has no spaces. Stop words are left out unless
 *  there is nothing else. */
export function searchTerms(text: string): readonly string[] {
  const words = new Set<string>();
  const stops = new Set<string>();
  for (const [match] of text.slice(0, longestQuestion).toLowerCase().matchAll(wordOrRun)) {
    for (const term of unspaced.test(match) ? characterPairs(match) : [match]) {
      if (meaningful.test(term)) (stopWords.has(term) ? stops : words).add(term);
    }
    if (words.size >= mostTerms) break;
  }
  return [...(words.size > 0 ? words : stops)].slice(0, mostTerms);
}

function characterPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]} ${character}`);
}

const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are aren as at be because been before being below between both but by
can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn have haven
having he her here hers herself him himself his how i if in into is isn it its itself just ll m ma me might more most must mustn
my myself no nor not now o of off on once only or other our ours ourselves out over own re s same shall shan she should shouldn
so some such t than that the their theirs them themselves then there these they this those through to too under until up ve very
was wasn we were weren what when where which while who whom whose why will with won would wouldn y you your yours yourself
yourselves`.split(/\s+/),
);
