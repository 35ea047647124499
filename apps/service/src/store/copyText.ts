// The text format of PostgreSQL's COPY: a line a row, its fields between tabs, and a backslash before what would be
// read as one of these.

/** A field without a value. */
export const copyNull = '\\N'

const special = /[\\\t\n\r]/
const specials = /[\\\t\n\r]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

/** A field of text, whatever is in it. PostgreSQL itself refuses a row with U+0000. */
export function copyString(text: string): string {
  return special.test(text) ? text.replace(specials, (character) => escapes[character] ?? '') : text
}
