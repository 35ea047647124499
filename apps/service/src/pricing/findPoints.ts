import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { secondsPerHour, secondsPerMinute } from '../time.ts'
import type { PricingPoint } from './PricingPoint.ts'

/** The head of a chain, and the window before each of its points. */
interface ChainHead {
  readonly chainId: number
  readonly number: number
  /** Unix seconds. */
  readonly time: number
  readonly windowMinutes: number
}

/**
 * Finds the points at which tokens are priced: the head of each chain, and the latest block at or before each offset from
 * it. Offsets are relative to the time of the head and not to the clock, so that a response depends only on the head.
 *
 * @param offsets - hours before the head.
 * @returns points, without those before the chain's first block. The index of an offset is its position plus one.
 */
export async function findPoints(
  db: Kysely<Database>,
  heads: readonly ChainHead[],
  offsets: readonly number[],
): Promise<PricingPoint[]> {
  const past = await findBlocks(
    db,
    heads.flatMap(({ chainId, time }) =>
      offsets.map((hours, index) => ({
        chainId,
        index: index + 1,
        // All times before 1970 are equivalent, and lower ones may exceed the range of the column.
        time: Math.max(-1, time - hours * secondsPerHour),
      })),
    ),
  )
  const points = [
    ...heads.map(({ chainId, number, time }) => ({ chainId, index: 0, block: number, time })),
    ...past,
  ].map((point) => {
    const head = heads.find(({ chainId }) => chainId === point.chainId)
    const windowSeconds = (head?.windowMinutes ?? 0) * secondsPerMinute
    return { ...point, windowTime: point.time - windowSeconds }
  })
  const windows = await findBlocks(
    db,
    points
      .filter(({ time, windowTime }) => windowTime < time)
      .map(({ chainId, index, windowTime }) => ({ chainId, index, time: windowTime })),
  )
  return points.map((point) => {
    const { chainId, index, block, time, windowTime } = point
    if (windowTime === time) {
      return { ...point, windowBlock: block }
    }
    const start = windows.find((found) => found.chainId === chainId && found.index === index)
    return { ...point, windowBlock: start?.block ?? -1 }
  })
}

/** The latest block of a chain at or before a time, and its own time. */
async function findBlocks(
  db: Kysely<Database>,
  times: readonly { readonly chainId: number; readonly index: number; readonly time: number }[],
): Promise<{ chainId: number; index: number; block: number; time: number }[]> {
  if (times.length === 0) {
    return []
  }
  const { rows } = await sql<{ chain_id: number; index: number; number: number; time: number }>`
    select point.chain_id, point.index, found.number, found.time
    from unnest(
      ${times.map(({ chainId }) => chainId)}::bigint[],
      ${times.map(({ index }) => index)}::int[],
      ${times.map(({ time }) => time)}::bigint[]
    ) as point (chain_id, index, time)
    cross join lateral (
      select blocks.number, blocks.time from blocks
      where blocks.chain_id = point.chain_id and blocks.time <= point.time
      order by blocks.time desc, blocks.number desc
      limit 1
    ) as found`.execute(db)
  return rows.map(({ chain_id, index, number, time }) => {
    return { chainId: chain_id, index, block: number, time }
  })
}
