import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { PricingPoint } from './PricingPoint.ts'

const secondsPerHour = 3600

/**
 * Finds the latest block at or before each offset from the head. Offsets are relative to the time of the head and not to
 * the clock, so that a response depends only on the head.
 *
 * @param offsets - hours before the head.
 * @returns points, each with the index of its offset plus one, without those before the chain's first block.
 */
export async function findPastBlocks(
  db: Kysely<Database>,
  heads: readonly { readonly chainId: number; readonly time: number }[],
  offsets: readonly number[],
): Promise<PricingPoint[]> {
  const times = heads.flatMap(({ chainId, time }) =>
    // All times before 1970 are equivalent, and lower ones may exceed the range of the column.
    offsets.map((hours, index) => ({
      chainId,
      index: index + 1,
      time: Math.max(-1, time - hours * secondsPerHour),
    })),
  )
  if (times.length === 0) {
    return []
  }
  const { rows } = await sql<{ chain_id: number; index: number; number: number }>`
    select point.chain_id, point.index, found.number
    from unnest(
      ${times.map(({ chainId }) => chainId)}::bigint[],
      ${times.map(({ index }) => index)}::int[],
      ${times.map(({ time }) => time)}::bigint[]
    ) as point (chain_id, index, time)
    cross join lateral (
      select blocks.number from blocks
      where blocks.chain_id = point.chain_id and blocks.time <= point.time
      order by blocks.time desc, blocks.number desc
      limit 1
    ) as found`.execute(db)
  return rows.map(({ chain_id, index, number }) => ({ chainId: chain_id, index, block: number }))
}
