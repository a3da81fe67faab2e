/** Lines in a row that say something together, as those of a paragraph do. */

/** What can be forgotten of a text by itself. */
export type Unit = {
  readonly line_start: number;
  readonly line_end: number;
  /** What says the same has the same; "" for what says nothing. That of a stretch has its ends of lines, as no other has. */
  readonly same: string;
  readonly isEntry: boolean;
};

const lineEnd = "\n";

/** @param sought as `sameness` has it   @returns the fewest lines that hold it, where one alone does not; as one unit */
export function stretchesHolding(units: readonly Unit[], sought: string): Unit[] {
  return paragraphsOf(units).flatMap((paragraph) => {
    const text = textOf(paragraph).replaceAll(lineEnd, " ");
    return stretchesAt(paragraph, offsetsOf(sought, text), sought.length).map(unitOf);
  });
}

/** The units that are lines of these stretches. */
export function linesOfStretches(
  units: readonly Unit[],
  forgotten: ReadonlySet<string>,
): ReadonlySet<Unit> {
  const stretches = [...forgotten].filter((same) => same.includes(lineEnd));
  if (stretches.length === 0) return new Set();
  const found = paragraphsOf(units).flatMap((paragraph) => {
    const text = textOf(paragraph);
    return stretches.flatMap((stretch) =>
      stretchesAt(paragraph, offsetsOf(stretch, text), stretch.length).filter(
        (lines) => textOf(lines) === stretch,
      ),
    );
  });
  return new Set(found.flat());
}

export function inOneLine(same: string): string {
  return same.replaceAll(lineEnd, " ");
}

/** Two lines and more without a blank one or an entry between them. */
function paragraphsOf(units: readonly Unit[]): Unit[][] {
  const paragraphs: Unit[][] = [];
  let isOpen = false;
  for (const unit of units) {
    const isLine = !unit.isEntry && unit.same !== "";
    if (isLine && isOpen) paragraphs.at(-1)?.push(unit);
    else if (isLine) paragraphs.push([unit]);
    isOpen = isLine;
  }
  return paragraphs.filter(({ length }) => length > 1);
}

/** Without the mark of a quote, which stands before each of its lines. */
const saidIn = ({ same }: Unit) => same.replace(/^\\>[>\s]*/, "");

const textOf = (lines: readonly Unit[]) => lines.map(saidIn).join(lineEnd);

function offsetsOf(sought: string, text: string): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) offsets.push(at);
  return offsets;
}

/** @param offsets ascending   @returns the lines below each, where those are several */
function stretchesAt(
  paragraph: readonly Unit[],
  offsets: readonly number[],
  length: number,
): Unit[][] {
  const starts: number[] = [];
  let end = 0;
  for (const line of paragraph) {
    starts.push(end);
    end += saidIn(line).length + lineEnd.length;
  }
  const stretches: Unit[][] = [];
  let [first, last] = [0, 0];
  for (const offset of offsets) {
    while ((starts[first + 1] ?? end) <= offset) first += 1;
    while ((starts[last + 1] ?? end) < offset + length) last += 1;
    if (first < last) stretches.push(paragraph.slice(first, last + 1));
  }
  return stretches;
}

function unitOf(lines: readonly Unit[]): Unit {
  const [line_start = 0] = lines.map((line) => line.line_start);
  return {
    line_start,
    line_end: line_start + lines.length - 1,
    same: textOf(lines),
    isEntry: false,
  };
}
