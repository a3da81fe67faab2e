/** What `/` takes: words that a row must have somewhere, and `state:waiting` for a named field. */

export type Fields = { readonly [name: string]: string };

export type Filter = (fields: Fields) => boolean;

/** For fields of which not their text is compared: whether the row has what is wanted. */
export type FieldTests = { readonly [name: string]: (wanted: string, fields: Fields) => boolean };

/** Every word must match; a name that the row does not have matches nothing. */
export function parseFilter(text: string, special: FieldTests = {}): Filter {
  const tests = wordsOf(text.toLowerCase()).map((word) => testOf(word, special));
  return (fields) => tests.every((test) => test(fields));
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** The named fields of a filter with what is wanted of them, as it was typed; of two of one name the last. */
export function namedIn(text: string): Fields {
  return Object.fromEntries(
    wordsOf(text).flatMap((word) => {
      const [name, wanted] = namedField(word) ?? [];
      return name === undefined || wanted === undefined ? [] : [[name, wanted]];
    }),
  );
}

function namedField(word: string): readonly string[] | undefined {
  return /^([a-z_]+):(.+)$/.exec(word)?.slice(1);
}

function testOf(word: string, special: FieldTests): Filter {
  const [name, wanted] = namedField(word) ?? [];
  if (name === undefined || wanted === undefined)
    return (fields) => Object.values(fields).some((value) => value.toLowerCase().includes(word));
  const test = Object.hasOwn(special, name) ? special[name] : undefined;
  if (test !== undefined) return (fields) => test(wanted, fields);
  return (fields) =>
    Object.hasOwn(fields, name) && (fields[name] ?? "").toLowerCase().includes(wanted);
}
