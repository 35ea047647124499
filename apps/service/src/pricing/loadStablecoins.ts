import type { Kysely } from 'kysely'
import { bytesToHex, hexToBytes } from 'viem/utils'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'

/** A stablecoin as the chain knows it. */
export interface Stablecoin {
  readonly chainId: number
  readonly address: string
  readonly decimals: number
  /** Block in which it was first seen; it anchors no price before. */
  readonly firstBlock: number
}

/** Loads the configured stablecoins. One whose decimals are not read yet is left out: its unit has no worth so far. */
export async function loadStablecoins(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
): Promise<Stablecoin[]> {
  const wanted = chains.flatMap(({ id, stablecoins }) =>
    stablecoins.map((address) => ({ id, address: hexToBytes(address as `0x${string}`) })),
  )
  if (wanted.length === 0) {
    return []
  }
  const rows = await db
    .selectFrom('tokens')
    .select(['chain_id', 'address', 'decimals', 'first_block'])
    .where((is) =>
      is.or(
        wanted.map(({ id, address }) =>
          is.and([is('chain_id', '=', id), is('address', '=', address)]),
        ),
      ),
    )
    .where('decimals', 'is not', null)
    .execute()
  return rows.map((row) => ({
    chainId: row.chain_id,
    address: bytesToHex(row.address),
    decimals: row.decimals ?? 0,
    firstBlock: row.first_block,
  }))
}
