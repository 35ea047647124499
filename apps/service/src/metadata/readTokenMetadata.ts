import { toFunctionSelector } from 'viem'
import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { askContract } from './askContract.ts'
import { decodeDecimals } from './decodeDecimals.ts'
import { decodeText } from './decodeText.ts'
import type { TokenMetadata } from './TokenMetadata.ts'

const selectors = {
  name: toFunctionSelector('name()'),
  symbol: toFunctionSelector('symbol()'),
  decimals: toFunctionSelector('decimals()'),
}

/**
 * Asks a token's contract for its texts and decimals.
 *
 * @param block a block that has the contract, so that no answer means no such function.
 * @throws {NodeError} when the node and not the contract failed.
 */
export async function readTokenMetadata(
  node: ChainNode,
  token: string,
  block: BlockRef,
  signal?: AbortSignal,
): Promise<TokenMetadata> {
  const ask = (selector: string) => askContract(node, token, selector, block, signal)
  const [name, symbol, decimals] = await Promise.all([
    ask(selectors.name),
    ask(selectors.symbol),
    ask(selectors.decimals),
  ])
  return { name: decodeText(name), symbol: decodeText(symbol), decimals: decodeDecimals(decimals) }
}
