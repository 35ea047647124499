import { toFunctionSelector } from 'viem'
import type { BlockRef } from '../rpc/BlockHeader.ts'
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

/** What nodes say when the contract ran and ended so; anything else they say of themselves. */
const contractFailures = /revert|invalid opcode|out of gas|stack/i
/** JSON-RPC's code for a call that the contract reverted. */
const reverted = 3

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
  const ask = (selector: string) => answerOf(node.callAt(token, selector, block, signal))
  const [name, symbol, decimals] = await Promise.all([
    ask(selectors.name),
    ask(selectors.symbol),
    ask(selectors.decimals),
  ])
  return { name: decodeText(name), symbol: decodeText(symbol), decimals: decodeDecimals(decimals) }
}

async function answerOf(call: Promise<string>): Promise<string> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    // The contract does not have this function.
    if (error.code === reverted || contractFailures.test(error.message)) return '0x'
    throw error
  }
}
