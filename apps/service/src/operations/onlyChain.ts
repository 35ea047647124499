import type { ChainConfig } from '../config/Config.ts'
import type { HandlerContext } from './Handler.ts'

/** The chain of an operation that answers of exactly one; a request that names another number of them is refused before. */
export function onlyChain({ chains }: Pick<HandlerContext, 'chains'>): ChainConfig {
  const [chain] = chains
  if (!chain || chains.length > 1) {
    throw new Error(`One chain was expected, not ${chains.length}`)
  }
  return chain
}
