import type { Warning } from '@headwater/contract'
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

/** The warnings of an operation on many chains, as a field of its response; no field without any. */
export function getChainWarnings({
  unsupportedChainIds,
}: Pick<HandlerContext, 'unsupportedChainIds'>): { warnings?: Warning[] } {
  if (unsupportedChainIds.length === 0) {
    return {}
  }
  return {
    warnings: [
      {
        code: 'UNSUPPORTED_CHAIN_IDS',
        message: `Unsupported chains were ignored: ${unsupportedChainIds.join(', ')}`,
        chain_ids: [...unsupportedChainIds],
      },
    ],
  }
}
