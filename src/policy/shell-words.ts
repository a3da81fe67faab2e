/** The words of a command line that needs no shell to be understood. A character is looked at once, whatever stands there. */

const bareCharacters = new Set(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@%+,=-",
);
const blanks = new Set(" \t");
const expandsInDoubleQuotes = new Set("$`\\!");

class WordReader {
  readonly words: string[] = [];
  #word: string | undefined;
  #quote = "";

  /** @returns whether it still can be plain words */
  take(character: string): boolean {
    return this.#quote === "" ? this.#outside(character) : this.#inside(character);
  }

  /** @returns whether no quote is open */
  end(): boolean {
    this.#endWord();
    return this.#quote === "";
  }

  #outside(character: string): boolean {
    if (blanks.has(character)) this.#endWord();
    else if (character === "'" || character === '"') this.#open(character);
    else if (bareCharacters.has(character)) this.#append(character);
    else return false;
    return true;
  }

  #inside(character: string): boolean {
    if (character === this.#quote) this.#quote = "";
    else if (this.#quote === '"' && expandsInDoubleQuotes.has(character)) return false;
    else this.#append(character);
    return true;
  }

  #open(quote: string): void {
    this.#quote = quote;
    this.#append("");
  }

  #append(text: string): void {
    this.#word = `${this.#word ?? ""}${text}`;
  }

  #endWord(): void {
    if (this.#word !== undefined) this.words.push(this.#word);
    this.#word = undefined;
  }
}

/** @returns nothing where a shell would do more than take off the quotes */
export function literalWords(characters: Iterable<string>): readonly string[] | undefined {
  const reader = new WordReader();
  for (const character of characters) if (!reader.take(character)) return undefined;
  return reader.end() ? reader.words : undefined;
}

/** Whether nobody, a shell included, would read more into this word than the name that it is. */
export function isBareWord(word: string): boolean {
  for (const character of word) if (!bareCharacters.has(character)) return false;
  return true;
}
