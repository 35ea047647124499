import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a token has a pool that is not empty, and may therefore have a price. The rows of wallets state it, so that a block
 * that changes it changes these.
 *
 * @param before - counts only pools whose rank is from before this block.
 */
export function hasPricingPool(
  chainId: RawBuilder<unknown>,
  token: RawBuilder<unknown>,
  before?: number,
): RawBuilder<boolean> {
  const isEarlier = before === undefined ? sql`` : sql`and from_block < ${before}::bigint`
  return sql`exists (
    select from pool_ranks where pool_ranks.chain_id = ${chainId}
      and pool_ranks.token = ${token} and rank >= 0 and to_block is null ${isEarlier}
  )`
}
