/** Finds many words in a text in one pass, whatever their number (Aho and Corasick, 1975). */

export type Match = { readonly start: number; readonly end: number; readonly word: number };

/** Goes on from the place that an earlier piece of the same text led to; positions count from the start of this piece.
 *  @returns the place that it came to */
export type WordScan = (text: string, found: (match: Match) => void, from?: Place) => Place;

/** Where a scan stands between two characters. */
export type Place = {
  readonly node: number;
  /** How many of the last characters may begin a word. */
  readonly begun: number;
};

export const outset: Place = { node: 0, begun: 0 };

type Automaton = {
  readonly width: number;
  /** UTF-16 unit to column; 0 for units that no word has. */
  readonly columns: Uint16Array;
  readonly next: Int32Array;
  /** Node to word that ends there, else -1. */
  readonly ends: Int32Array;
  /** Node to the nearest shorter suffix at which a word ends, else 0. */
  readonly shorter: Int32Array;
  /** Node to the length of what leads to it. */
  readonly depths: Int32Array;
};

/** `found` hears every occurrence of every word, also overlapping ones, ordered by where they end. */
export function createWordScan(words: readonly string[]): WordScan {
  const automaton = build(words);
  const lengths = words.map((word) => word.length);
  const { columns, next, width, depths } = automaton;
  return (text, found, from = outset) => {
    let { node } = from;
    for (let position = 0; position < text.length; position += 1) {
      node = next[node * width + (columns[text.charCodeAt(position)] ?? 0)] ?? 0;
      if (node === 0) continue;
      eachEnd(automaton, node, (word) =>
        found({ start: position + 1 - (lengths[word] ?? 0), end: position + 1, word }),
      );
    }
    return node === 0 ? outset : { node, begun: depths[node] ?? 0 };
  };
}

/** The words that end at a node, the longest first. */
function eachEnd({ ends, shorter }: Automaton, node: number, found: (word: number) => void): void {
  const first = (ends[node] ?? -1) < 0 ? (shorter[node] ?? 0) : node;
  for (let hit = first; hit > 0; hit = shorter[hit] ?? 0) found(ends[hit] ?? 0);
}

function build(words: readonly string[]): Automaton {
  const { columns, width } = columnsOf(words);
  const nodes = 1 + words.reduce((total, word) => total + word.length, 0);
  const next = new Int32Array(nodes * width);
  const ends = new Int32Array(nodes).fill(-1);
  const depths = new Int32Array(nodes);
  const automaton = { width, columns, next, ends, shorter: new Int32Array(nodes), depths };
  let used = 1;
  words.forEach((word, index) => {
    let node = 0;
    for (let position = 0; position < word.length; position += 1) {
      const slot = node * width + (columns[word.charCodeAt(position)] ?? 0);
      if (next[slot] === 0) {
        next[slot] = used;
        depths[used] = position + 1;
        used += 1;
      }
      node = next[slot] ?? 0;
    }
    ends[node] = index;
  });
  linkSuffixes(automaton, used);
  return automaton;
}

function columnsOf(words: readonly string[]): { columns: Uint16Array; width: number } {
  const columns = new Uint16Array(65_536);
  let width = 1;
  for (const word of words) {
    for (let position = 0; position < word.length; position += 1) {
      const unit = word.charCodeAt(position);
      if (columns[unit] !== 0) continue;
      columns[unit] = width;
      width += 1;
    }
  }
  return { columns, width };
}

/** Breadth first: fills every missing edge with that of the longest proper suffix, so that a scan never goes back. */
function linkSuffixes({ next, width, ends, shorter }: Automaton, nodes: number): void {
  const suffix = new Int32Array(nodes);
  const queue = [0];
  for (let head = 0; head < queue.length; head += 1) {
    const node = queue[head] ?? 0;
    const from = suffix[node] ?? 0;
    for (let column = 1; column < width; column += 1) {
      const slot = node * width + column;
      const child = next[slot] ?? 0;
      const fallback = node === 0 ? 0 : (next[from * width + column] ?? 0);
      if (child === 0) {
        next[slot] = fallback;
        continue;
      }
      suffix[child] = fallback;
      shorter[child] = (ends[fallback] ?? -1) >= 0 ? fallback : (shorter[fallback] ?? 0);
      queue.push(child);
    }
  }
}
