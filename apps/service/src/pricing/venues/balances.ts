import { getUint, getWord, hasWords } from '../../indexing/decode/words.ts'
import type { Log } from '../../rpc/methods/Log.ts'
import type { Pool, PoolBalances } from '../Pool.ts'
import type { Rational } from '../Rational.ts'
import type { PoolStateEvent } from './Venue.ts'

/** Bits of the lowest price of a pool: 38 digits, of which no arithmetic of a contract has more. */
const priceBits = 128

/** The price of two tokens of a pool whose state is read. */
export function getBalancesPrice({ price0 = 0n, price1 = 0n }: Pool): Rational | undefined {
  return price0 > 0n && price1 > 0n ? { numerator: price0, denominator: price1 } : undefined
}

/**
 * Creates the state of a pool, with prices of the fewest bits that are exact to 38 digits.
 *
 * @param prices - in any unit, with as many bits as are known.
 * @returns undefined for prices that are not positive.
 */
export function createBalances(
  balances: readonly bigint[],
  prices: readonly bigint[],
): PoolBalances | undefined {
  if (prices.length === 0 || prices.some((price) => price <= 0n)) {
    return undefined
  }
  const lowest = prices.reduce((low, price) => (price < low ? price : low))
  const shift = BigInt(Math.max(0, lowest.toString(2).length - priceBits))
  return { balances, prices: prices.map((price) => price >> shift) }
}

/** Decodes an event of a pool by which its state is read. */
export function decodeTouch({ address }: Log): PoolStateEvent {
  return { kind: 'touch', pool: address }
}

/** Decodes one unsigned integer. */
export function decodeUint(data = ''): bigint | undefined {
  return hasWords(data, 1) ? getUint(data, 0) : undefined
}

/** Decodes words that are all present. */
export function decodeUints(results: readonly string[]): bigint[] | undefined {
  const values = results.map((data) => decodeUint(data))
  return values.every((value) => value !== undefined) ? values : undefined
}

/** Decodes an array of at most `maxTokens` words, at the offset in a word of the data. */
export function decodeWords(data: string, index = 0): string[] | undefined {
  const offset = hasWords(data, index + 1) ? Number(getUint(data, index)) : NaN
  const start = offset / 32
  if (!Number.isInteger(start) || !hasWords(data, start + 1)) {
    return undefined
  }
  const length = Number(getUint(data, start))
  return length <= maxTokens && hasWords(data, start + 1 + length)
    ? Array.from({ length }, (_, position) => getWord(data, start + 1 + position))
    : undefined
}

/** The most tokens of an indexed pool: those of Balancer and Curve have at most as many. */
export const maxTokens = 8
