import { toFunctionSelector } from 'viem/utils'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { NodeError } from '../rpc/transport/NodeError.ts'
import { callContracts, type ContractSource } from './callContracts.ts'
import { decodeDecimals } from './decodeDecimals.ts'
import { decodeText } from './decodeText.ts'
import type { TokenMetadata } from './TokenMetadata.ts'

const selectors = ['name()', 'symbol()', 'decimals()'].map((name) => toFunctionSelector(name))

/**
 * Asks tokens' contracts for their texts and decimals, in few requests.
 *
 * @param block - a block that has the contracts, so that no answer means no such function.
 * @returns for each token what it tells, or why the node did not answer for it.
 */
export async function readTokenMetadata(
  node: ContractSource,
  tokens: readonly string[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(TokenMetadata | NodeError)[]> {
  const calls = tokens.flatMap((to) => selectors.map((data) => ({ to, data })))
  const answers = await callContracts(node, calls, block, signal)
  return tokens.map((_, index) => {
    const own = answers.slice(index * selectors.length, (index + 1) * selectors.length)
    const [name = '0x', symbol = '0x', decimals = '0x'] = own
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
      decimals: decodeDecimals(decimals),
    }
  })
}
