import { type Kysely, sql } from 'kysely'
import { zeroAddress } from '../indexing/decode/words.ts'
import type { PoolType } from '../pricing/Pool.ts'
import { getPoolModel } from '../pricing/venues/venues.ts'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'

/** An account with shares of a pool, in smallest units. */
export interface Provider {
  readonly account: string
  readonly amount: bigint
}

/** Shares of these accounts cannot be withdrawn. */
const burnAccounts = [zeroAddress, '0x000000000000000000000000000000000000dead']

/** The ERC20 token of the shares of a pool; undefined for types without. The first bytes of an id are the contract. */
export function findShareToken(type: PoolType, pool: string): string | undefined {
  return getPoolModel(type).hasShares ? pool.slice(0, 42) : undefined
}

/**
 * Loads the account with the most shares of a pool, from the ledger of their transfers.
 *
 * @returns undefined for a pool whose contract has no shares, such as the first ones of Curve, and for shares that only
 *   their contract knows.
 */
export async function loadLargestProvider(
  db: Kysely<Database>,
  chainId: number,
  shareToken: string,
): Promise<Provider | undefined> {
  const { rows } = await sql<{ account: string; amount: string }>`
    select '0x' || encode(holder, 'hex') as account, amount::text as amount
    from balances
    where chain_id = ${chainId}::bigint and rank > 0 and token = (
      select id from tokens
      where tokens.chain_id = ${chainId}::bigint and address = ${fromHex(shareToken)}::bytea
        and standard = 20 and amounts_from = 'ledger'
    )
    order by rank desc, amount desc, holder limit ${sql.lit(burnAccounts.length + 1)}`.execute(db)
  const largest = rows.find(({ account }) => !burnAccounts.includes(account))
  return largest && { account: largest.account, amount: BigInt(largest.amount) }
}
