import { NodeError } from '../transport/NodeError.ts'

/**
 * Parses a JSON-RPC quantity that fits a number, such as a block number.
 *
 * @throws {NodeError} retryable, for anything else.
 */
export function parseQuantity(value: unknown): number {
  const quantity = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : NaN
  if (!Number.isSafeInteger(quantity)) {
    throw createError('a quantity', value)
  }
  return quantity
}

/** The end of the year 9999. Responses have no format for later times. */
const maxSeconds = 253_402_300_799

/**
 * Parses a time in unix seconds.
 *
 * @throws {NodeError} retryable, for anything else.
 */
export function parseSeconds(value: unknown): number {
  const seconds = parseQuantity(value)
  if (seconds > maxSeconds) {
    throw createError('a time', value)
  }
  return seconds
}

/** Formats a block number as a JSON-RPC quantity. */
export function formatQuantity(quantity: number): string {
  return `0x${quantity.toString(16)}`
}

/** Without groups or flags, as it runs on every byte of every log. */
const lowerCaseHex = /^0x[0-9a-f]*$/

/**
 * Parses hex data and converts it to lower case.
 *
 * @param length - in bytes; any is accepted where it is omitted.
 * @throws {NodeError} retryable, for anything else.
 */
export function parseBytes(value: unknown, length?: number): string {
  if (typeof value === 'string' && hasLength(value, length)) {
    if (lowerCaseHex.test(value)) {
      return value
    }
    const lower = value.toLowerCase()
    if (lowerCaseHex.test(lower)) {
      return lower
    }
  }
  throw createError(length === undefined ? 'hex data' : `${length} bytes of hex`, value)
}

function hasLength(value: string, bytes: number | undefined): boolean {
  return bytes === undefined ? value.length % 2 === 0 : value.length === 2 + 2 * bytes
}

function createError(expected: string, value: unknown): NodeError {
  // Objects are not written, as they may be nested so deeply that this fails.
  const isObject = typeof value === 'object' && value !== null
  const actual = isObject ? 'an object' : String(JSON.stringify(value)).slice(0, 80)
  return new NodeError(`The node returned ${actual} instead of ${expected}`, { kind: 'malformed' })
}
