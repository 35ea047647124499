import type { Logger } from 'pino'
import type { ChainConfig, Config } from '../config/Config.ts'
import type { ChainUpdate } from '../store/ChainWatch.ts'
import type { ChainChange } from '../store/changes.ts'
import { type AssessedPool, updatePool } from './AssessedPool.ts'
import { DroppedTokens } from './DroppedTokens.ts'
import { getQuoteTokens } from './getQuoteTokens.ts'
import { isSameRoute } from './isSameRoute.ts'
import { LatePools } from './LatePools.ts'
import { type ChangedPool, loadChangedPools } from './loadChangedPools.ts'
import { findHeadPrices, getPriceKey } from './loadPriceBooks.ts'
import { PointPrices } from './PointPrices.ts'
import type { PriceCache } from './PriceCache.ts'
import { findPrices, PriceRefresh, type ReadStore, type Refreshed } from './PriceRefresh.ts'
import { getOther } from './RouteFinder.ts'
import { VersionedMap } from './VersionedMap.ts'

/** An update of which it is known what it changed. */
type CarriedUpdate = ChainUpdate & {
  readonly [Key in 'before' | 'block' | 'changes' | 'keys']: NonNullable<ChainUpdate[Key]>
}

function isCarried(update: ChainUpdate): update is CarriedUpdate {
  const { before, block, changes, keys } = update
  return before !== undefined && block !== undefined && changes !== undefined && keys !== undefined
}

function toHead({ block, metadataVersion }: NonNullable<ChainUpdate['before']>) {
  return { ...block, metadataVersion }
}

/** The share of the most tokens that remains once there are more. */
const keptShare = 7 / 8

interface PriceEpochsOptions {
  readonly chains: readonly ChainConfig[]
  /** The prices that responses are made of. Of more tokens than it has room for, the first ones are priced when requested. */
  readonly cache: PriceCache
  readonly config: Config['prices']
  readonly read: ReadStore
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Carries prices from block to block. The price of a token remains as it is while its pools, and the prices of the tokens
 * that its route passes, change by less than a limit, so that most blocks change no response. Once per epoch, all
 * prices in use are found again, as they also depend on pools of other tokens and on time.
 *
 * The pools are carried as well: a block is one query of those that it changed. Their windows are read again once per epoch,
 * if they changed in the window.
 */
export class PriceEpochs {
  readonly #options: PriceEpochsOptions
  readonly #refresh: PriceRefresh
  readonly #dropped = new DroppedTokens()
  readonly #late = new LatePools()

  constructor(options: PriceEpochsOptions) {
    this.#options = options
    this.#refresh = new PriceRefresh(options.read, options.config)
  }

  /**
   * Carries the prices of a chain to its new block.
   *
   * @param followed - tokens with changes that are delivered, which are priced in addition to the requested ones.
   * @returns the tokens with prices that changed, or are not known.
   */
  async advance(
    update: ChainUpdate,
    followed: readonly string[] = [],
  ): Promise<ReadonlySet<string> | 'all'> {
    const { config, chains, logger, cache } = this.#options
    const { chainId } = update
    const chain = chains.find(({ id }) => id === chainId)
    const described = new Set(update.changes?.flatMap(getDescribed))
    if (
      !chain ||
      !isCarried(update) ||
      config.minChange === 0 ||
      chain.stablecoins.some((token) => described.has(token))
    ) {
      this.#clear(chainId)
      return 'all'
    }
    const { before } = update
    const head = toHead(update)
    const previous = findHeadPrices(cache, chain, toHead(before))
    const carried = previous?.copy(chain) ?? new PointPrices(chain)
    if (previous) {
      this.#late.add(chainId, before.block.number, previous.pools)
    } else {
      this.#clear(chainId)
    }
    try {
      let changed = previous
        ? await this.#carry(chain, update, described, previous, carried)
        : 'all'
      const followedNow = followed.slice(0, cache.maxTokens)
      await findPrices(this.#options.read, { chain, head, prices: carried, tokens: followedNow })
      if (changed !== 'all' && previous) {
        for (const token of followed) {
          if (!previous.routes.has(token)) {
            changed.add(token)
          }
        }
        const dropped = dropFirst(carried, new Set(followedNow), cache.maxTokens)
        changed = this.#dropped.add(chainId, dropped) ? changed : 'all'
      }
      // Requests may have read the block before it is published. What is carried is what earlier responses have.
      const requested = findHeadPrices(cache, chain, head)
      const key = getPriceKey(chain, head)
      if (requested && requested !== previous) {
        requested.add(carried)
        cache.headsOf(chainId).set(key, requested)
      } else if (previous || followed.length > 0) {
        cache.headsOf(chainId).set(key, carried)
      }
      return changed
    } catch (error) {
      logger.warn({ chain: chainId, err: error }, 'failed to update prices')
      return 'all'
    }
  }

  /** Finds prices again that are due by a block that was published. The next one takes over those that changed. */
  async refresh({ chainId, block, metadataVersion }: ChainUpdate): Promise<void> {
    const { chains, cache, logger, config } = this.#options
    const chain = chains.find(({ id }) => id === chainId)
    const head = block && { ...block, metadataVersion }
    const prices = chain && head && findHeadPrices(cache, chain, head)
    if (!prices || config.minChange === 0) {
      return
    }
    try {
      await this.#refresh.run(chain, head, prices)
    } catch (error) {
      logger.warn({ chain: chainId, err: error }, 'failed to refresh prices')
    }
  }

  #clear(chainId: number): void {
    this.#late.clear(chainId)
    this.#refresh.clear(chainId)
  }

  /** Finds what an update changes, and carries the rest. */
  async #carry(
    chain: ChainConfig,
    update: CarriedUpdate,
    described: ReadonlySet<string>,
    previous: PointPrices,
    carried: PointPrices,
  ): Promise<Set<string> | 'all'> {
    const { before, block, changes } = update
    const { pooled } = update.keys
    const { config } = this.#options
    const added = previous.routes.recordAdded()
    const scaled = carried.findScaled(described)
    const isUndone = changes.some(({ ancestor }) => ancestor !== undefined)
    if (isUndone) {
      this.#clear(chain.id)
    } else {
      this.#late.describe(chain.id, described)
      this.#refresh.describe(chain.id, described)
    }
    const refreshed = this.#refresh.take(chain.id, previous)
    const reloaded = [...(refreshed?.pools.keys() ?? [])]
    for (const token of [...reloaded, ...scaled, ...(isUndone ? pooled : [])]) {
      carried.pools.delete(token)
    }
    if (!isUndone && before.block.number < block.number) {
      await this.#updatePools(chain, carried.pools, before.block.number, block.number)
      const passed = [
        ...(refreshed ? [toPoolsAt(refreshed)] : []),
        ...this.#late.take(chain.id, carried.pools),
      ]
      for (const { pools, block: since } of passed) {
        await this.#updatePools(chain, pools, since, block.number)
        pools.forEach((ofToken, token) => carried.pools.set(token, ofToken))
      }
    }
    const changed = new Set([...pooled, ...described, ...scaled])
    const checked = [...new Set([...(refreshed?.tokens ?? []), ...changed])].filter((token) =>
      previous.routes.has(token),
    )
    checked.forEach((token) => carried.routes.delete(token))
    const head = toHead(update)
    await findPrices(this.#options.read, { chain, head, prices: carried, tokens: checked })
    if (!isEqualSet(carried.depegged, previous.depegged)) {
      carried.routes.clear()
      return 'all'
    }
    for (const token of checked) {
      const before = previous.routes.get(token)
      if (before && isSameRoute(before, carried.routes.get(token), config.minChange)) {
        changed.delete(token)
        carried.routes.set(token, before)
      } else {
        changed.add(token)
      }
    }
    for (const token of previous.findDependents(changed)) {
      if (!changed.has(token)) {
        changed.add(token)
        carried.removeRoute(token)
      }
    }
    // Requests at the block before have added to its prices meanwhile.
    for (const [token, found] of added) {
      if (!changed.has(token) && !carried.routes.has(token)) {
        carried.routes.set(token, found)
      }
    }
    for (const token of refreshed?.isStart ? this.#dropped.take(chain.id) : []) {
      changed.add(token)
    }
    return changed
  }

  /** Updates the pools that some blocks changed, and removes the tokens with other candidates than before. */
  async #updatePools(
    chain: ChainConfig,
    pools: PointPrices['pools'],
    since: number,
    block: number,
  ): Promise<void> {
    if (pools.size === 0) {
      return
    }
    const quoteTokens = getQuoteTokens(chain)
    const changed = await this.#options.read(chain.id, (db) =>
      loadChangedPools(db, chain.id, since, block),
    )
    for (const changedPool of changed) {
      const { address, token0, token1, state } = changedPool
      for (const token of [token0, token1]) {
        const ofToken = pools.get(token)
        const isChanged = ({ pool }: AssessedPool) =>
          pool.address === address && pool.token0 === token0 && pool.token1 === token1
        if (ofToken && mayBeCandidate(token, changedPool, ofToken, quoteTokens)) {
          pools.delete(token)
        } else if (ofToken?.some(isChanged)) {
          const isGuarded = chain.priceWindowMinutes > 0
          pools.set(
            token,
            ofToken.map((each) => (isChanged(each) ? updatePool(each, state, isGuarded) : each)),
          )
        }
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
    // Empty pools are those of quote tokens alone.
    return !isLoaded || (!quoteTokens.has(token) && (ranks[token] ?? -1) < 0)
  }
  if (isLoaded || (ranks[token] ?? -1) >= leastRank) {
    return true
  }
  const other = getOther(token, changed)
  const ofPair = pools.find(({ pool }) => getOther(token, pool) === other)
  const rank = ranks[other + token.slice(2)] ?? ranks[other] ?? -1
  return quoteTokens.has(other) && rank >= (ofPair?.leastPairRank ?? 0)
}

/**
 * Removes what is more than can be carried.
 *
 * @param kept - tokens that remain, in addition to the quote tokens.
 * @returns the tokens that are not carried.
 */
function dropFirst(
  prices: PointPrices,
  kept: ReadonlySet<string>,
  maxCarried: number,
): readonly string[] {
  const { routes, pools, quoteTokens } = prices
  const isKept = (token: string) => kept.has(token) || quoteTokens.has(token)
  // More than necessary, so that the next blocks drop none.
  const excess = routes.size > maxCarried ? routes.size - Math.floor(maxCarried * keptShare) : 0
  const dropped =
    excess === 0 ? [] : [...routes.keys()].filter((token) => !isKept(token)).slice(0, excess)
  dropped.forEach((token) => prices.remove(token))
  // Those of tokens that routes pass are as many at most.
  for (const token of pools.size > 2 * maxCarried ? [...pools.keys()] : []) {
    if (!routes.has(token) && !quoteTokens.has(token)) {
      pools.delete(token)
    }
  }
  return dropped
}

/** The contracts with metadata that a change changed. Those of a block without a reorg have sales, which affect no price. */
function getDescribed({ keys, metadataVersions: [before, after], ancestor }: ChainChange) {
  return before === after && ancestor === undefined ? [] : (keys?.contracts ?? [])
}

function toPoolsAt({ block, pools }: Refreshed) {
  const known = [...pools].flatMap(([token, ofToken]) =>
    ofToken ? [[token, ofToken] as const] : [],
  )
  return { block, pools: new VersionedMap(known) }
}

function isEqualSet(
  a: ReadonlySet<string> = new Set(),
  b: ReadonlySet<string> = new Set(),
): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each))
}
