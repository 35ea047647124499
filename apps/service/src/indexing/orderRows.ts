import type { Row } from './stageRows.ts'

/** Buckets of the first four digits. */
const buckets = 65_536

/**
 * Puts rows in the order of the first digits of the address in their first column: near the order of the tables' keys,
 * so that neighbours are written to the same pages, at a small part of what sorting costs.
 */
export function orderRows(rows: readonly Row[]): Row[] {
  const ends = new Uint32Array(buckets + 1)
  const keys = rows.map(([address]) => firstDigits(String(address)))
  for (const key of keys) ends[key + 1] = (ends[key + 1] ?? 0) + 1
  for (let key = 1; key <= buckets; key++) ends[key] = (ends[key] ?? 0) + (ends[key - 1] ?? 0)
  const ordered = new Array<Row>(rows.length)
  rows.forEach((row, at) => {
    const key = keys[at] ?? 0
    const place = ends[key] ?? 0
    ordered[place] = row
    ends[key] = place + 1
  })
  return ordered
}

/** Without making a string of them, after `0x`. */
function firstDigits(address: string): number {
  let value = 0
  for (let at = 2; at < 6; at++) {
    const code = address.charCodeAt(at)
    value = value * 16 + (code < 58 ? code - 48 : code - 87)
  }
  return value
}
