import { toFunctionSelector } from 'viem/utils'
import { decodeAddress, getWord, hasWords, zeroAddress } from '../../indexing/decode/words.ts'
import type { Call } from '../../rpc/methods/Call.ts'
import { wordCall } from '../../rpc/methods/Call.ts'

/** Pools and factories return what is read of them for less, the quotes of Curve included. */
const maxGas = 500_000
const selectors = new Map<string, string>()

/**
 * Creates a call that returns a few words.
 *
 * @param signature - such as `getPool(address,address,uint24)`, with parameters of one word each.
 * @param words - its arguments: addresses, or integers of at least 0.
 */
export function encodeCall(
  to: string,
  signature: string,
  words: readonly (string | bigint | number)[] = [],
): Call {
  let selector = selectors.get(signature)
  if (selector === undefined) {
    selectors.set(signature, (selector = toFunctionSelector(signature)))
  }
  const encoded = words.map((word) => {
    const digits = typeof word === 'string' ? word.slice(2) : word.toString(16)
    return digits.padStart(64, '0')
  })
  return { ...wordCall(to, selector + encoded.join('')), maxGas }
}

/** The address of a pool that a factory returned; undefined if it has none. */
export function decodePoolAddress(data = ''): string | undefined {
  const address = hasWords(data, 1) ? decodeAddress(getWord(data, 0)) : undefined
  return address === zeroAddress ? undefined : address
}

/** The tokens in the order of a pool's: by address. */
export function sortTokens([a, b]: readonly [string, string]): readonly [string, string] {
  return a < b ? [a, b] : [b, a]
}
