import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'

/** An indexed stablecoin. */
export interface Stablecoin {
  readonly chainId: number
  readonly address: string
  readonly decimals: number
  /** Block of its first transfer; it does not anchor prices before. */
  readonly firstBlock: number
}

/** Loads the configured stablecoins, without those with unknown decimals. */
export async function loadStablecoins(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
): Promise<Stablecoin[]> {
  const configured = chains.flatMap(({ id, stablecoins }) =>
    stablecoins.map((address) => ({ id, address: fromHex(address) })),
  )
  if (configured.length === 0) {
    return []
  }
  const rows = await db
    .selectFrom('tokens')
    .select(['chain_id', 'address', 'decimals', 'first_block'])
    .where((is) =>
      is.or(
        configured.map(({ id, address }) =>
          is.and([is('chain_id', '=', id), is('address', '=', address)]),
        ),
      ),
    )
    .where('decimals', 'is not', null)
    .execute()
  return rows.map((row) => ({
    chainId: row.chain_id,
    address: toHex(row.address),
    decimals: row.decimals ?? 0,
    firstBlock: row.first_block,
  }))
}
