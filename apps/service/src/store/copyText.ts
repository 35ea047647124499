// The text format of PostgreSQL's COPY: a line a row, its fields between tabs, and a backslash before what would be
// read as one of these.

/** A field without a value. */
export const copyNull = '\\N'

const isHex = /^0x(?:[0-9a-f]{2})*$/
const special = /[\\\t\n\r]/
const specials = /[\\\t\n\r]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

/**
 * A `bytea` field of lower-case hex with `0x`.
 *
 * @throws {RangeError} when it is anything else: what is not hex could end the field or the row.
 */
export function copyBytes(hex: string): string {
  if (!isHex.test(hex)) throw new RangeError('Bytes are written as 0x and lower-case hex')
  return `\\\\${hex.slice(1)}`
}

/** A field of text, whatever is in it. PostgreSQL itself refuses a row with U+0000. */
export function copyString(text: string): string {
  return special.test(text) ? text.replace(specials, (character) => escapes[character] ?? '') : text
}

/** A row of fields that are written already: by the functions beside this one, or whole numbers as `String` tells them. */
export function copyRow(fields: readonly (string | number | bigint)[]): string {
  return `${fields.join('\t')}\n`
}
