import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { findPastBlocks } from './findPastBlocks.ts'
import { findRoutes } from './findRoutes.ts'
import { hubsOf } from './hubsOf.ts'
import { loadPools } from './loadPools.ts'
import type { Pool } from './Pool.ts'
import { loadStablecoins } from './loadStablecoins.ts'
import type { PriceBook, Prices } from './PriceBook.ts'

/** What is to be priced on one chain. */
export interface PriceRequest {
  readonly chain: ChainConfig
  /** The block that the prices are of; `time` in unix seconds. */
  readonly head: { readonly number: number; readonly time: number }
  /** Token addresses in lower case. Hubs (stablecoins, the wrapped native asset, quote tokens) are priced unasked. */
  readonly tokens: Iterable<string>
}

/**
 * Prices tokens of several chains, at their heads and some hours before.
 *
 * @param db best a transaction that sees one snapshot, so that reserves are those of the heads.
 * @param offsets whole hours before each head.
 * @returns a price book a chain, by chain id.
 */
export async function loadPriceBooks(
  db: Kysely<Database>,
  requests: readonly PriceRequest[],
  offsets: readonly number[],
): Promise<Map<number, PriceBook>> {
  const hubs = new Map(requests.map(({ chain }) => [chain.id, hubsOf(chain)]))
  const heads = requests.map(({ chain, head }) => ({ chainId: chain.id, ...head }))
  const points = [
    ...heads.map(({ chainId, number }) => ({ chainId, index: 0, block: number })),
    ...(await findPastBlocks(db, heads, offsets)),
  ]
  const pools = await loadPools(
    db,
    requests.map(({ chain, tokens }) => ({
      chainId: chain.id,
      tokens: [...new Set(tokens)].filter((token) => !hubs.get(chain.id)?.has(token)),
    })),
    requests.map(({ chain }) => ({ chainId: chain.id, tokens: hubs.get(chain.id) ?? [] })),
    points,
  )
  const poolsAt = new Map<string, Pool[]>()
  for (const pool of pools) {
    const key = `${pool.chainId}/${pool.index}`
    const others = poolsAt.get(key)
    if (others) others.push(pool)
    else poolsAt.set(key, [pool])
  }
  const stablecoins = await loadStablecoins(
    db,
    requests.map(({ chain }) => chain),
  )
  const pricesAt = (chainId: number, index: number): Prices => {
    const point = points.find((point) => point.chainId === chainId && point.index === index)
    if (!point) return new Map()
    const anchors = stablecoins.filter(
      (stablecoin) => stablecoin.chainId === chainId && stablecoin.firstBlock <= point.block,
    )
    return findRoutes(
      poolsAt.get(`${chainId}/${index}`) ?? [],
      new Map(anchors.map(({ address, decimals }) => [address, decimals])),
      hubs.get(chainId) ?? new Set(),
    )
  }
  return new Map(
    requests.map(({ chain }) => [
      chain.id,
      {
        now: pricesAt(chain.id, 0),
        past: offsets.map((_, index) => pricesAt(chain.id, index + 1)),
      },
    ]),
  )
}
