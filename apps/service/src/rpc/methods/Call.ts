import type { NodeError } from '../transport/NodeError.ts'

/** An `eth_call` to a contract. */
export interface Call {
  readonly to: string
  /** Selector and arguments as hex. `0x` stands for the native balance of the account (`nativeBalanceCall`). */
  readonly data: string
  /** The most bytes of a plausible result, as JSON. A call with a larger result counts as reverted. */
  readonly maxBytes?: number
  /** The gas by which a contract must return a result. A call that fails although it has more counts as reverted. */
  readonly maxGas?: number
  /** The size of a plausible result in bytes, where the calls of an aggregation differ. */
  readonly resultBytes?: number
}

/** The outcome of a call. */
export type CallResult =
  /** `0x` also where there is no contract. */
  | { readonly status: 'success'; readonly data: string }
  /** The contract reverted, or returned more than is plausible. The same call at the same block always does. */
  | { readonly status: 'reverted'; readonly isOversized?: true }
  /** No node executed it; a retry may succeed. */
  | { readonly status: 'failed'; readonly error: NodeError }

/** Enough for a word, or for the reason of a revert. */
const maxWordResponseBytes = 16 * 1024
/** Selector of `balanceOf(address)`. */
const balanceOfSelector = '0x70a08231'
/** Selector of `totalSupply()`. */
const totalSupplySelector = '0x18160ddd'
/** Selector of `balanceOf(address,uint256)`. */
const itemBalanceSelector = '0x00fdd58e'
/** Selector of `ownerOf(uint256)`. */
const ownerOfSelector = '0x6352211e'

/**
 * Creates a call that returns one word.
 *
 * @param data - selector and arguments as hex.
 */
export function wordCall(to: string, data: string): Call {
  return { to, data, maxBytes: maxWordResponseBytes }
}

/**
 * Creates a call of `balanceOf`.
 *
 * @param token - contract address.
 * @param holder - address: `0x` and 40 hex digits.
 */
export function balanceOfCall(token: string, holder: string): Call {
  return wordCall(token, `${balanceOfSelector}${holder.slice(2).padStart(64, '0')}`)
}

/** Creates a call of `totalSupply`. */
export function totalSupplyCall(token: string): Call {
  return wordCall(token, totalSupplySelector)
}

/**
 * Creates a call of `ownerOf`.
 *
 * @param selector - of a function with another name, as collections before ERC721 have.
 */
export function ownerOfCall(contract: string, tokenId: bigint, selector = ownerOfSelector): Call {
  return wordCall(contract, `${selector}${tokenId.toString(16).padStart(64, '0')}`)
}

/**
 * Creates a call of ERC1155's `balanceOf`.
 *
 * @param holder - address: `0x` and 40 hex digits.
 */
export function itemBalanceCall(contract: string, holder: string, tokenId: bigint): Call {
  const words = [holder.slice(2), tokenId.toString(16)].map((word) => word.padStart(64, '0'))
  return wordCall(contract, itemBalanceSelector + words.join(''))
}

/**
 * Decodes the first word of a result as an unsigned integer, as ABI decoders do.
 *
 * @returns undefined where the contract returned no word, as one without such a function does, or does not exist.
 */
export function decodeWord(result: CallResult | undefined): bigint | undefined {
  if (result?.status !== 'success') {
    return undefined
  }
  const word = /^0x[0-9a-f]{64}/i.exec(result.data)
  return word ? BigInt(word[0]) : undefined
}
