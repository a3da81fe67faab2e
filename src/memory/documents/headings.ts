/** Where in a file a text stands: its headings, the outermost first. */

export type Title = { readonly level: number; readonly title: string };

const longestTitle = 200;
const longestPath = 400;

/** What everything in a file stands under: a daily file's date, as it says when all that was; the name of what has no headings. */
export function outerHeading(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!isMarkdown(path)) return name.slice(0, longestTitle);
  return /^(\d{4}-\d{2}-\d{2})\./.exec(name)?.[1] ?? "";
}

export const isMarkdown = (path: string) => /\.(?:md|markdown)$/i.test(path);

/** A line of one to six # and a title; null: it is something else. */
export function titleOfLine(line: string): Title | null {
  if (line.length > longestTitle) return null;
  const found = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
  if (found === null) return null;
  const title = (found[2] ?? "")
    .trim()
    .replace(/(?:^|[ \t])#+$/, "")
    .trim();
  return { level: found[1]?.length ?? 1, title };
}

export class HeadingPath {
  text: string;
  private readonly outer: string;
  private titles: readonly Title[] = [];

  constructor(outer: string) {
    this.outer = outer;
    this.text = outer;
  }

  enter(title: Title): void {
    this.set([...this.titles.filter(({ level }) => level < title.level), title]);
  }

  /** Out of all headings of this level and below it. */
  leave(level: number): void {
    this.set(this.titles.filter((other) => other.level < level));
  }

  private set(titles: readonly Title[]): void {
    this.titles = titles;
    const said = titles.map(({ title }) => title);
    const parts = said[0] === this.outer ? said : [this.outer, ...said];
    this.text = parts
      .filter((part) => part !== "")
      .join(" > ")
      .slice(0, longestPath);
  }
}
