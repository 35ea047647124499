import { toFunctionSelector } from 'viem'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/NodeError.ts'
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
 * @throws {NodeError} retryable, when the node and not the contract failed.
 */
export async function readTokenMetadata(
  node: ChainNode,
  token: string,
  signal?: AbortSignal,
): Promise<TokenMetadata> {
  const [name, symbol, decimals] = await Promise.all([
    answerOf(node, token, selectors.name, signal),
    answerOf(node, token, selectors.symbol, signal),
    answerOf(node, token, selectors.decimals, signal),
  ])
  return { name: decodeText(name), symbol: decodeText(symbol), decimals: decodeDecimals(decimals) }
}

async function answerOf(
  node: ChainNode,
  token: string,
  selector: string,
  signal?: AbortSignal,
): Promise<string> {
  try {
    return await node.call(token, selector, signal)
  } catch (error) {
    // The contract reverts: it does not have this function.
    if (error instanceof NodeError && !error.retryable) return '0x'
    throw error
  }
}
