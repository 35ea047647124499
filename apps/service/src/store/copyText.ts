// The text format of PostgreSQL's COPY: a line per row, fields separated by tabs, special characters escaped by a
// backslash.

/** A null field. */
export const copyNull = '\\N'

const special = /[\\\t\n\r]/
const specials = /[\\\t\n\r]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

/** Escapes a text field. PostgreSQL itself rejects U+0000. */
export function copyString(text: string): string {
  return special.test(text) ? text.replace(specials, (character) => escapes[character] ?? '') : text
}
