import type { ChainConfig } from '../config/Config.ts'
import type { HandlerContext } from './Handler.ts'

/** The chain of an operation on a single chain. Requests with another number of chains are rejected earlier. */
export function getSingleChain({ chains }: Pick<HandlerContext, 'chains'>): ChainConfig {
  const [chain] = chains
  if (!chain || chains.length > 1) {
    throw new Error(`Expected one chain, received ${chains.length}`)
  }
  return chain
}
