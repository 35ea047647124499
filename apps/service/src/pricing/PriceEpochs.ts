import type { Logger } from 'pino'
import type { ChainConfig, Config } from '../config/Config.ts'
import type { TimedBlock } from '../rpc/methods/BlockHeader.ts'
import type { ChainUpdate } from '../store/ChainWatch.ts'
import type { ChainChange } from '../store/changes.ts'
import type { Head } from '../store/Head.ts'
import { DroppedTokens } from './DroppedTokens.ts'
import { extendPrices, type ReadStore } from './extendPrices.ts'
import { isSameRoute } from './isSameRoute.ts'
import { LatePools } from './LatePools.ts'
import { PointPrices } from './PointPrices.ts'
import type { PriceCache } from './PriceCache.ts'
import { PriceRefresh, type Refreshed } from './PriceRefresh.ts'
import type { FoundRoute } from './Route.ts'
import { updatePools } from './updatePools.ts'

/** An update of which it is known what it changed. */
type CarriedUpdate = ChainUpdate & {
  readonly [Key in 'before' | 'block' | 'changes' | 'keys']: NonNullable<ChainUpdate[Key]>
}

/** A block to which the prices of the block before are carried. */
interface Step {
  readonly before: TimedBlock
  readonly head: Head
  readonly isReorg: boolean
  /** The tokens with changed pools. */
  readonly pooled: readonly string[]
  /** The contracts with other metadata, and the tokens with a pool that depends on the decimals of these. */
  readonly described: ReadonlySet<string>
  readonly scaled: readonly string[]
  /** The prices of the block before, and a copy of them, which becomes those of the block. */
  readonly previous: PointPrices
  readonly carried: PointPrices
}

interface PriceEpochsOptions {
  readonly chain: ChainConfig
  /** The prices that responses are made of. Of more tokens than it has room for, the first ones are priced when requested. */
  readonly cache: PriceCache
  readonly config: Config['prices']
  readonly read: ReadStore
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Carries prices of a chain from block to block. The price of a token remains as it is while its pools, and the prices of the tokens
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
    this.#refresh = new PriceRefresh(options)
  }

  /**
   * Carries the prices to the new block of the chain.
   *
   * @param followed - tokens with changes that are delivered, which are priced in addition to the requested ones.
   * @returns the tokens with prices that changed, or are not known.
   */
  async advance(
    update: ChainUpdate,
    followed: readonly string[] = [],
  ): Promise<ReadonlySet<string> | 'all'> {
    const { chain, config, logger, cache } = this.#options
    const described = new Set(update.changes?.flatMap(getDescribed))
    if (
      !isCarried(update) ||
      config.minChange === 0 ||
      chain.stablecoins.some((token) => described.has(token))
    ) {
      this.#clear()
      return 'all'
    }
    const previous = cache.get({ chain, head: toHead(update.before) })
    try {
      return previous
        ? await this.#carry(createStep(chain, update, described, previous), followed)
        : await this.#start(toHead(update), followed)
    } catch (error) {
      logger.warn({ chain: chain.id, err: error }, 'failed to update prices')
      return 'all'
    }
  }

  /** Finds prices again that are due by a block that was published. The next one takes over those that changed. */
  async refresh({ block, metadataVersion }: ChainUpdate): Promise<void> {
    const { chain, cache, logger, config } = this.#options
    const head = block && toHead({ block, metadataVersion })
    const prices = head && cache.get({ chain, head })
    if (!prices || config.minChange === 0) {
      return
    }
    try {
      await this.#refresh.run(head, prices)
    } catch (error) {
      logger.warn({ chain: chain.id, err: error }, 'failed to refresh prices')
    }
  }

  #clear(): void {
    this.#late.clear()
    this.#refresh.clear()
  }

  /** Prices the followed tokens at a block of which the prices of the block before are not known. */
  async #start(head: Head, followed: readonly string[]): Promise<'all'> {
    const { chain, cache, read } = this.#options
    this.#clear()
    if (followed.length > 0) {
      const prices = new PointPrices(chain)
      const tokens = followed.slice(0, cache.maxTokens)
      await extendPrices(read, { chain, head, prices, tokens })
      this.#store(head, prices)
    }
    return 'all'
  }

  /** Carries the prices of the block before. */
  async #carry(step: Step, followed: readonly string[]): Promise<ReadonlySet<string> | 'all'> {
    const { chain, cache, read } = this.#options
    const { head, previous, carried } = step
    // Until it is published, requests add to the pools and routes of the block before.
    this.#late.add(step.before.number, previous.pools)
    const added = previous.routes.recordAdded()
    const refreshed = this.#takeRefreshed(step)
    await this.#carryPools(step, refreshed)
    const changed = await this.#carryRoutes(step, refreshed, added)
    const tokens = followed.slice(0, cache.maxTokens)
    await extendPrices(read, { chain, head, prices: carried, tokens })
    const isAll =
      changed === 'all' || !this.#dropped.drop(carried, new Set(tokens), cache.maxTokens)
    this.#store(head, carried, previous)
    return isAll
      ? 'all'
      : new Set([...changed, ...followed.filter((token) => !previous.routes.has(token))])
  }

  /** Takes what was found between the blocks, unless it is of blocks that were undone. */
  #takeRefreshed({ described, isReorg, previous }: Step): Refreshed | undefined {
    if (isReorg) {
      this.#clear()
    } else {
      this.#late.discardPools(described)
      this.#refresh.discardPools(described)
    }
    return this.#refresh.take(previous)
  }

  /** Updates the pools by those that the blocks changed, and removes the others that changed, to be loaded when they are used. */
  async #carryPools(
    { before, head, pooled, scaled, isReorg, carried }: Step,
    refreshed: Refreshed | undefined,
  ): Promise<void> {
    const { chain, read } = this.#options
    for (const token of [...(refreshed?.unsteady ?? []), ...scaled, ...(isReorg ? pooled : [])]) {
      carried.pools.delete(token)
    }
    if (isReorg || before.number >= head.number) {
      return
    }
    const { pools } = carried
    await updatePools(read, chain, { block: before.number, pools }, head.number)
    for (const earlier of [...(refreshed ? [refreshed] : []), ...this.#late.take(pools)]) {
      await updatePools(read, chain, earlier, head.number)
      earlier.pools.forEach((ofToken, token) => pools.set(token, ofToken))
    }
  }

  /**
   * Finds the prices again that may have changed, and keeps those that changed by less than the limit.
   *
   * @param added - what requests added to the prices of the block before since they were copied.
   * @returns the tokens with prices that changed, or are not known.
   */
  async #carryRoutes(
    { head, pooled, described, scaled, previous, carried }: Step,
    refreshed: Refreshed | undefined,
    added: ReadonlyMap<string, FoundRoute>,
  ): Promise<Set<string> | 'all'> {
    const { chain, config, read } = this.#options
    const changed = new Set([...pooled, ...described, ...scaled])
    const tokens = [...new Set([...(refreshed?.tokens ?? []), ...changed])].filter((token) =>
      previous.routes.has(token),
    )
    tokens.forEach((token) => carried.routes.delete(token))
    await extendPrices(read, { chain, head, prices: carried, tokens })
    if (!isEqualSet(carried.depegged, previous.depegged)) {
      carried.routes.clear()
      return 'all'
    }
    for (const token of tokens) {
      const earlier = previous.routes.get(token)
      if (earlier && isSameRoute(earlier, carried.routes.get(token), config.minChange)) {
        changed.delete(token)
        carried.routes.set(token, earlier)
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
    for (const [token, found] of added) {
      if (!changed.has(token) && !carried.routes.has(token)) {
        carried.routes.set(token, found)
      }
    }
    for (const token of refreshed?.isStart ? this.#dropped.take() : []) {
      changed.add(token)
    }
    return changed
  }

  /** Stores the prices of a block. */
  #store(head: Head, prices: PointPrices, previous?: PointPrices): void {
    const { chain, cache } = this.#options
    const requested = cache.get({ chain, head })
    if (requested && requested !== previous) {
      // Requests have read the block before it is published. What is carried is what earlier responses have.
      requested.add(prices)
      cache.set({ chain, head }, requested)
    } else {
      cache.set({ chain, head }, prices)
    }
  }
}

function isCarried(update: ChainUpdate): update is CarriedUpdate {
  const { before, block, changes, keys } = update
  return before !== undefined && block !== undefined && changes !== undefined && keys !== undefined
}

function toHead({ block, metadataVersion }: NonNullable<ChainUpdate['before']>): Head {
  return { ...block, metadataVersion }
}

function createStep(
  chain: ChainConfig,
  update: CarriedUpdate,
  described: ReadonlySet<string>,
  previous: PointPrices,
): Step {
  const carried = previous.copy(chain)
  return {
    before: update.before.block,
    head: toHead(update),
    pooled: update.keys.pooled,
    described,
    scaled: carried.findScaled(described),
    isReorg: update.changes.some(({ ancestor }) => ancestor !== undefined),
    previous,
    carried,
  }
}

/** The contracts with metadata that a change changed. Those of a block without a reorg have sales, which affect no price. */
function getDescribed({ keys, metadataVersions: [before, after], ancestor }: ChainChange) {
  return before === after && ancestor === undefined ? [] : (keys?.contracts ?? [])
}

function isEqualSet(
  a: ReadonlySet<string> = new Set(),
  b: ReadonlySet<string> = new Set(),
): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each))
}
