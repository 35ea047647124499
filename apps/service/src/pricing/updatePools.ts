import type { ChainConfig } from '../config/Config.ts'
import { type AssessedPool, updatePool } from './AssessedPool.ts'
import type { ReadStore } from './extendPrices.ts'
import { getQuoteTokens } from './getQuoteTokens.ts'
import { type ChangedPool, loadChangedPools } from './loadChangedPools.ts'
import type { PointPrices } from './PointPrices.ts'
import { getOtherToken } from './Pool.ts'

/** Pools by token, as they are at a block. */
export interface PoolsAt {
  readonly block: number
  readonly pools: PointPrices['pools']
}

/** Updates pools to a later block, and removes the tokens that may have other candidates there. */
export async function updatePools(
  read: ReadStore,
  chain: ChainConfig,
  { block, pools }: PoolsAt,
  upTo: number,
): Promise<void> {
  if (pools.size === 0) {
    return
  }
  const quoteTokens = getQuoteTokens(chain)
  const isGuarded = chain.priceWindowMinutes > 0
  const changed = await read((db) => loadChangedPools(db, chain.id, block, upTo))
  for (const changedPool of changed) {
    const { address, token0, token1, state } = changedPool
    const isChanged = ({ pool }: AssessedPool) =>
      pool.address === address && pool.token0 === token0 && pool.token1 === token1
    for (const token of [token0, token1]) {
      const ofToken = pools.get(token)
      if (ofToken && mayBeCandidate(token, changedPool, ofToken, quoteTokens)) {
        pools.delete(token)
      } else if (ofToken?.some(isChanged)) {
        const update = (each: AssessedPool) =>
          isChanged(each) ? updatePool(each, state, isGuarded) : each
        pools.set(token, ofToken.map(update))
      }
    }
  }
}

/**
 * Whether a pool with another rank is or was among the candidates of a token: in the list of all of its pools, or, where that is
 * full, in those of its pools with a quote token.
 */
function mayBeCandidate(
  token: string,
  changed: ChangedPool,
  pools: readonly AssessedPool[],
  quoteTokens: ReadonlySet<string>,
): boolean {
  const { address, ranks } = changed
  if (!ranks) {
    return false
  }
  const leastRank = pools[0]?.leastRank
  const isLoaded = pools.some(({ pool }) => pool.address === address)
  if (leastRank === undefined) {
    // Empty pools of other tokens are those of the window.
    return !isLoaded || (!quoteTokens.has(token) && (ranks[token] ?? -1) < 0)
  }
  if (isLoaded || (ranks[token] ?? -1) >= leastRank) {
    return true
  }
  const other = getOtherToken(token, changed)
  const ofPair = pools.find(({ pool }) => getOtherToken(token, pool) === other)
  const rank = ranks[other + token.slice(2)] ?? ranks[other] ?? -1
  return quoteTokens.has(other) && rank >= (ofPair?.leastPairRank ?? 0)
}
