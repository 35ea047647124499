import { toFunctionSelector } from 'viem/utils'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { NodeError } from '../rpc/transport/NodeError.ts'
import { callContracts, type ContractSource } from './callContracts.ts'
import { decodeText } from './decodeText.ts'

/** What a token's contract returns; null where it returns no usable value. */
export interface TokenMetadata {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
}

const selectors = ['name()', 'symbol()', 'decimals()'].map((name) => toFunctionSelector(name))

/**
 * Reads the names, symbols and decimals of tokens, in few requests.
 *
 * @param block - a block that has the contracts, so that an empty result means that a function does not exist.
 * @returns for each token its metadata, or the error if no node executed its calls.
 */
export async function fetchTokenMetadata(
  node: ContractSource,
  tokens: readonly string[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(TokenMetadata | NodeError)[]> {
  const calls = tokens.flatMap((to) => selectors.map((data) => ({ to, data })))
  const allResults = await callContracts(node, calls, block, signal)
  return tokens.map((_, index) => {
    const results = allResults.slice(index * selectors.length, (index + 1) * selectors.length)
    const [name = '0x', symbol = '0x', decimals = '0x'] = results
    if (typeof name !== 'string') {
      return name
    }
    if (typeof symbol !== 'string') {
      return symbol
    }
    if (typeof decimals !== 'string') {
      return decimals
    }
    return {
      name: decodeText(name),
      symbol: decodeText(symbol),
      // A word from 0 to 255; anything else is not usable.
      decimals: /^0x0{62}[0-9a-f]{2}$/.test(decimals) ? Number(decimals) : null,
    }
  })
}
