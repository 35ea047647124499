import { NodeError } from './NodeError.ts'

/** Reads a JSON-RPC quantity that fits a number, such as a block number. */
export function parseQuantity(value: unknown): number {
  const quantity = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : NaN
  if (!Number.isSafeInteger(quantity)) throw garbage('quantity', value)
  return quantity
}

/** Reads hex data of a given length in bytes, or of any, and lower-cases it. */
export function parseBytes(value: unknown, length?: number): string {
  if (
    typeof value !== 'string' ||
    // A capturing group would overflow the stack on the megabytes that a contract may answer.
    !/^0x(?:[0-9a-f]{2})*$/i.test(value) ||
    (length !== undefined && value.length !== 2 + 2 * length)
  )
    throw garbage(length === undefined ? 'bytes' : `${length} bytes`, value)
  return value.toLowerCase()
}

function garbage(expected: string, value: unknown): NodeError {
  const shown = String(JSON.stringify(value)).slice(0, 80)
  return new NodeError(`The node answered ${shown} where ${expected} belong`, { retryable: true })
}
