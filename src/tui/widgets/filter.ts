/** What `/` takes: words that a row must have somewhere, and `state:waiting` for a named field. */

export type Fields = { readonly [name: string]: string };

export type Filter = (fields: Fields) => boolean;

/** Every word must match; a name that the row does not have matches nothing. */
export function parseFilter(text: string): Filter {
  const tests = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .map(testOf);
  return (fields) => tests.every((test) => test(fields));
}

function testOf(word: string): Filter {
  const [, name, wanted] = /^([a-z_]+):(.+)$/.exec(word) ?? [];
  if (name === undefined || wanted === undefined)
    return (fields) => Object.values(fields).some((value) => value.toLowerCase().includes(word));
  return (fields) => fields[name]?.toLowerCase().includes(wanted) ?? false;
}
