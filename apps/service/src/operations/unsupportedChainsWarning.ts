import type { Warning } from '@headwater/contract'

/** Tells that some of the chains asked for are not indexed here; nothing when all are. */
export function unsupportedChainsWarning(chainIds: readonly number[]): Warning | undefined {
  if (chainIds.length === 0) {
    return undefined
  }
  return {
    code: 'UNSUPPORTED_CHAIN_IDS',
    message: `Not supported and left out: chain ${chainIds.join(', ')}`,
    chain_ids: [...chainIds],
  }
}
