import type { GlobalKeys } from "../app/global-keys.ts";
import type { SafeText } from "../frame/safe-text.ts";

/** Something that can be typed behind `:`. */
export type PaletteCommand = {
  /** One word. */
  readonly name: string;
  /** What is typed behind it: `RUN`; absent: nothing. In brackets where it may be left out. */
  readonly takes?: SafeText;
  readonly about: SafeText;
  /** What could stand behind it, as far as it is known. */
  readonly offers?: (tui: GlobalKeys) => readonly string[];
  /** @param rest what was typed behind the name
   *  @returns what is wrong with it, if anything; then the palette stays open */
  readonly run: (tui: GlobalKeys, rest: string) => SafeText | undefined;
};

/** The one of that name, those whose names begin so, then those that have it somewhere. */
export function matching(
  commands: readonly PaletteCommand[],
  typed: string,
): readonly PaletteCommand[] {
  const word = typed.toLowerCase();
  const exact = commands.filter(({ name }) => name === word);
  const begin = commands.filter(({ name }) => name.startsWith(word) && name !== word);
  const within = commands.filter(({ name }) => !name.startsWith(word) && name.includes(word));
  return [...exact, ...begin, ...within];
}

const mostNear = 3;

/** Names that are written alike, for a word that is none. */
export function nearTo(commands: readonly PaletteCommand[], typed: string): readonly string[] {
  const word = typed.toLowerCase().slice(0, 40);
  return commands
    .map(({ name }) => ({ name, distance: distanceOf(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 2)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, mostNear)
    .map(({ name }) => name);
}

/** How many letters are to be added, left out or changed. */
function distanceOf(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const here = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const changed = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      here.push(Math.min(changed, (above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1));
    }
    above = here;
  }
  return above[b.length] ?? 0;
}
