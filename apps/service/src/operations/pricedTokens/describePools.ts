import type { TokenMetadata } from '@headwater/contract'
import type { AssessedPool } from '../../pricing/AssessedPool.ts'
import { getOtherToken } from '../../pricing/Pool.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import { multiply } from '../../pricing/Rational.ts'
import type { RejectedPool, Route } from '../../pricing/Route.ts'
import { toNumber } from '../../pricing/toNumber.ts'

/** The pools that price a token, and those that do not, for `metadata=pools`. */
export function describePools(
  token: string,
  route: Route | undefined,
  book: Pick<PriceBook, 'rejected' | 'creationTimes'> | undefined,
): Pick<TokenMetadata, 'pools' | 'rejected_pools'> {
  const rejected: readonly RejectedPool[] = book?.rejected.get(token) ?? []
  const describeAge = ({ createdBlock }: AssessedPool): { created_at?: string } => {
    const time = createdBlock === undefined ? undefined : book?.creationTimes?.get(createdBlock)
    return time === undefined
      ? {}
      : { created_at: `${new Date(time * 1000).toISOString().slice(0, 19)}Z` }
  }
  const described: Pick<TokenMetadata, 'pools' | 'rejected_pools'> = {}
  if (route) {
    described.pools = route.legs.map(({ type, address, tokens, assessed, quotePrice }) => {
      const { pool, past0, past1, isBounded } = assessed
      const [reserve, past] =
        tokens[1] === pool.token0 ? [pool.reserve0, past0] : [pool.reserve1, past1]
      return {
        type,
        address,
        tokens: [...tokens],
        ...describeAge(assessed),
        depth_usd: toNumber(multiply(quotePrice, reserve)),
        past_depth_usd: toNumber(multiply(quotePrice, past)),
        ...(isBounded && { is_bounded: true }),
      }
    })
  }
  if (rejected.length > 0) {
    described.rejected_pools = rejected.map(({ assessed, reason }) => {
      const { kind: type, address } = assessed.pool
      const tokens = [token, getOtherToken(token, assessed.pool)]
      return { type, address, tokens, ...describeAge(assessed), reason }
    })
  }
  return described
}
