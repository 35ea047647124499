import type { Warning } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import type { Discovered } from '../../discovery/WalletDiscovery.ts'

/** The warning that tokens of a wallet may be missing; none once all of its transfers are known. */
export function describePartialHistory(
  { id, name, startBlock }: Pick<ChainConfig, 'id' | 'name' | 'startBlock'>,
  { knownSinceBlock, share }: Pick<Discovered, 'knownSinceBlock' | 'share'>,
): Warning[] {
  if (knownSinceBlock !== undefined && knownSinceBlock <= startBlock) {
    return []
  }
  const known =
    knownSinceBlock === undefined
      ? 'its latest transfers could not be read'
      : `its transfers are known since block ${knownSinceBlock}`
  return [
    {
      code: 'PARTIAL_HISTORY',
      message: `Chain ${id} (${name}) may have further tokens of this wallet: ${known}. The amounts of the listed tokens are exact`,
      chain_id: id,
      ...(knownSinceBlock !== undefined && { known_since_block: knownSinceBlock }),
      // Less than 1, also after rounding.
      share: Math.min(0.9999, Math.floor(share * 10_000) / 10_000),
    },
  ]
}
