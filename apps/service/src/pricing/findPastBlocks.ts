import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { PricingPoint } from './PricingPoint.ts'

const SECONDS_PER_HOUR = 3600

/**
 * Finds the block in force some hours before each head: the last one at or before that moment. Hours count from the
 * head's own time, not from the clock, so that an answer is a function of the head block.
 *
 * @param offsets - whole hours before the head.
 * @returns points with the index of the offset plus one; none where the chain had no block yet.
 */
export async function findPastBlocks(
  db: Kysely<Database>,
  heads: readonly { readonly chainId: number; readonly time: number }[],
  offsets: readonly number[],
): Promise<PricingPoint[]> {
  const moments = heads.flatMap(({ chainId, time }) =>
    // Any moment before 1970 is as good as another; one that no integer column holds is not.
    offsets.map((hours, index) => ({
      chainId,
      index: index + 1,
      time: Math.max(-1, time - hours * SECONDS_PER_HOUR),
    })),
  )
  if (moments.length === 0) {
    return []
  }
  const { rows } = await sql<{ chain_id: number; index: number; number: number }>`
    select moment.chain_id, moment.index, found.number
    from unnest(
      ${moments.map(({ chainId }) => chainId)}::bigint[],
      ${moments.map(({ index }) => index)}::int[],
      ${moments.map(({ time }) => time)}::bigint[]
    ) as moment (chain_id, index, time)
    cross join lateral (
      select blocks.number from blocks
      where blocks.chain_id = moment.chain_id and blocks.time <= moment.time
      order by blocks.time desc, blocks.number desc
      limit 1
    ) as found`.execute(db)
  return rows.map(({ chain_id, index, number }) => ({ chainId: chain_id, index, block: number }))
}
