import { NodeError } from './NodeError.ts'

/** Reads a JSON-RPC quantity that fits a number, such as a block number. */
export function parseQuantity(value: unknown): number {
  const quantity = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : NaN
  if (!Number.isSafeInteger(quantity)) throw garbage('quantity', value)
  return quantity
}

/** Without a group or a flag: it runs over every byte of every log. */
const lowerCaseHex = /^0x[0-9a-f]*$/

/** Reads hex data of a given length in bytes, or of any, and lower-cases it. */
export function parseBytes(value: unknown, length?: number): string {
  if (typeof value === 'string' && isLong(value, length)) {
    if (lowerCaseHex.test(value)) return value
    const lower = value.toLowerCase()
    if (lowerCaseHex.test(lower)) return lower
  }
  throw garbage(length === undefined ? 'bytes' : `${length} bytes`, value)
}

function isLong(value: string, bytes: number | undefined): boolean {
  return bytes === undefined ? value.length % 2 === 0 : value.length === 2 + 2 * bytes
}

function garbage(expected: string, value: unknown): NodeError {
  const shown = String(JSON.stringify(value)).slice(0, 80)
  return new NodeError(`The node answered ${shown} where ${expected} belong`, { kind: 'malformed' })
}
