import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig, Config } from '../config/Config.ts'
import type { ChainUpdate } from '../store/ChainWatch.ts'
import type { ChangedKeys } from '../store/changes.ts'
import type { Database } from '../store/Database.ts'
import { type AssessedPool, updatePool } from './AssessedPool.ts'
import { type ChangedPool, loadChangedPools } from './loadChangedPools.ts'
import { getPriceKey, loadPrices, type PriceRequest } from './loadPriceBooks.ts'
import { maxPools } from './loadRoutes.ts'
import { PointPrices } from './PointPrices.ts'
import type { PriceCache } from './PriceCache.ts'
import { compareRationals, type Rational } from './Rational.ts'
import type { FoundRoute } from './Route.ts'

/** Tokens per step, between which requests are served. */
const maxTokens = 250
/** Tokens whose prices are carried to the next block. Of more, the first ones are priced when they are requested. */
const maxCarried = 5_000
/** The unit of the configured change: a millionth. */
const parts = 1_000_000

interface PriceEpochsOptions {
  readonly chains: readonly ChainConfig[]
  /** The prices that responses are made of. */
  readonly cache: PriceCache
  readonly config: Config['prices']
  /** Runs a read on a snapshot of the store of a chain. */
  readonly read: <Result>(
    chainId: number,
    load: (db: Kysely<Database>) => Promise<Result>,
  ) => Promise<Result>
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
  /** The end of the epoch of each chain, by `performance.now()`. */
  readonly #ends = new Map<number, number>()

  constructor(options: PriceEpochsOptions) {
    this.#options = options
  }

  /**
   * Carries the prices of a chain to its new block.
   *
   * @param keys - what the update changed.
   * @returns the tokens with prices that changed, or are not known.
   */
  async advance(
    update: ChainUpdate,
    keys: Pick<ChangedKeys, 'pooled' | 'contracts'>,
  ): Promise<ReadonlySet<string> | 'all'> {
    const { cache, config, chains, logger } = this.#options
    const { chainId, before, block, changes } = update
    const chain = chains.find(({ id }) => id === chainId)
    if (!chain || !before || !block || config.minChange === 0 || !changes) {
      return 'all'
    }
    const contracts = new Set(keys.contracts)
    if (chain.stablecoins.some((token) => contracts.has(token))) {
      return 'all'
    }
    const changed = new Set([...keys.pooled, ...contracts])
    const previous = cache.get(
      getPriceKey(chain, { ...before.block, ...before }, before.block.number),
    )
    if (!previous) {
      return changed
    }
    const now = performance.now()
    const isEnd = now >= (this.#ends.get(chainId) ?? 0)
    if (isEnd) {
      this.#ends.set(chainId, now + 1000 * config.epochSeconds)
    }
    const head = { ...block, metadataVersion: update.metadataVersion }
    try {
      const { stablecoins } = previous
      const carried = new PointPrices(chain, { pools: new Map(previous.pools), stablecoins })
      const reload = isEnd ? findUnsteady(carried.pools) : []
      const isUndone = changes.some(({ ancestor }) => ancestor !== undefined)
      for (const token of [...reload, ...contracts, ...(isUndone ? keys.pooled : [])]) {
        carried.pools.delete(token)
      }
      if (!isUndone && before.block.number < block.number) {
        await this.#updatePools(chain, carried.pools, before.block.number, block.number)
      }
      const checked = isEnd
        ? [...previous.routes.keys()]
        : [...changed].filter((token) => previous.routes.has(token))
      await this.#find(chain, head, carried, checked)
      if (carried.depegged && !isEqualSet(carried.depegged, previous.depegged)) {
        cache.set(getPriceKey(chain, head, block.number), carried)
        return 'all'
      }
      for (const token of checked) {
        const before = previous.routes.get(token)
        if (isSameRoute(before, carried.routes.get(token), config.minChange)) {
          changed.delete(token)
        } else {
          changed.add(token)
        }
      }
      addDependents(changed, previous.routes)
      const first = previous.routes.size - maxCarried
      for (const [index, [token, found]] of [...previous.routes].entries()) {
        if (index < first) {
          changed.add(token)
          carried.routes.delete(token)
          carried.pools.delete(token)
        } else if (!changed.has(token)) {
          carried.routes.set(token, found)
        }
      }
      cache.set(getPriceKey(chain, head, block.number), carried)
      return changed
    } catch (error) {
      logger.warn({ chain: chainId, err: error }, 'failed to update prices')
      return 'all'
    }
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
    const changed = await this.#options.read(chain.id, (db) =>
      loadChangedPools(db, chain.id, since, block),
    )
    for (const changedPool of changed) {
      const { address, token0, token1, state, isRanked } = changedPool
      for (const token of [token0, token1]) {
        const ofToken = pools.get(token)
        const isChanged = ({ pool }: AssessedPool) =>
          pool.address === address && pool.token0 === token0 && pool.token1 === token1
        if (isRanked && ofToken && mayBeCandidate(token, changedPool, ofToken)) {
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

  /** Finds the routes of tokens at a new head; loads the pools that are not known. */
  async #find(
    chain: ChainConfig,
    head: PriceRequest['head'],
    prices: PointPrices,
    tokens: readonly string[],
  ): Promise<void> {
    for (let start = 0; start < tokens.length; start += maxTokens) {
      const some = tokens.slice(start, start + maxTokens)
      if (prices.find(some).size > 0) {
        await this.#options.read(chain.id, (db) =>
          loadPrices(db, [{ chain, head, tokens: some, prices }]),
        )
      } else {
        await setImmediate()
      }
    }
  }
}

/** Whether a pool with another rank is or was among the candidates of a token, of which there may be more than loaded. */
function mayBeCandidate(
  token: string,
  { address, token0, state }: ChangedPool,
  pools: readonly AssessedPool[],
): boolean {
  const reserves = pools
    .filter(({ isSeasoned }) => isSeasoned)
    .map(({ pool }) => (pool.token0 === token ? pool.reserve0 : pool.reserve1))
  const reserve = token === token0 ? state.reserve0 : state.reserve1
  return (
    reserves.length < maxPools ||
    pools.some(({ pool }) => pool.address === address) ||
    // Ranks are powers of two within a band of one.
    reserves.some((lowest) => reserve * 8n > lowest)
  )
}

/** The tokens with pools whose assessment depends on time. */
function findUnsteady(pools: PointPrices['pools']): string[] {
  return [...pools].flatMap(([token, ofToken]) =>
    ofToken.every(({ isSteady }) => isSteady) ? [] : [token],
  )
}

/** Adds the tokens with a route that passes a changed token. */
function addDependents(changed: Set<string>, routes: PointPrices['routes']): void {
  const causes = new Set(changed)
  if (causes.size === 0) {
    return
  }
  for (const [token, { route }] of routes) {
    if (route?.legs.some(({ tokens }) => tokens.slice(1).some((passed) => causes.has(passed)))) {
      changed.add(token)
    }
  }
}

function isEqualSet(a: ReadonlySet<string>, b: ReadonlySet<string> | undefined): boolean {
  return a.size === (b?.size ?? 0) && [...a].every((each) => b?.has(each))
}

/** Whether two routes have the same pools, and differ by less than a limit in price and liquidity. */
export function isSameRoute(
  before: FoundRoute | undefined,
  after: FoundRoute | undefined,
  minChange: number,
): boolean {
  const [a, b] = [before?.route, after?.route]
  if (describePools(before) !== describePools(after)) {
    return false
  }
  return a && b
    ? isClose(a.price, b.price, minChange) && isCloseIfKnown(a.poolSize, b.poolSize, minChange)
    : a === b
}

/** The pools of a route, and those that were rejected. */
function describePools(found: FoundRoute | undefined): string {
  return JSON.stringify([
    found?.route?.legs.map(({ type, address, tokens }) => [type, address, ...tokens]),
    found?.rejected.map(({ assessed, reason }) => [assessed.pool.address, reason]),
  ])
}

function isCloseIfKnown(
  a: Rational | undefined,
  b: Rational | undefined,
  minChange: number,
): boolean {
  return a && b ? isClose(a, b, minChange) : a === b
}

/** Whether `b` is less than `minChange` above or below `a`. */
function isClose(a: Rational, b: Rational, minChange: number): boolean {
  const limit = BigInt(Math.round(minChange * parts))
  const scale = (factor: bigint): Rational => ({
    numerator: a.numerator * factor,
    denominator: a.denominator * BigInt(parts),
  })
  return (
    compareRationals(b, scale(BigInt(parts) - limit)) > 0 &&
    compareRationals(b, scale(BigInt(parts) + limit)) < 0
  )
}
