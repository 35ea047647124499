import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig, Config } from '../config/Config.ts'
import type { ChainChange } from '../store/changes.ts'
import type { ChainUpdate } from '../store/ChainWatch.ts'
import type { Database } from '../store/Database.ts'
import { getPriceKey, loadPriceBooks } from './loadPriceBooks.ts'
import { type CachedRoutes, PriceCache } from './PriceCache.ts'
import { compareRationals, type Rational } from './Rational.ts'
import type { Route } from './Route.ts'

/** Tokens per query. */
const maxTokens = 1_000
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
   * @returns the tokens with prices that changed, or are not known.
   */
  async advance(
    update: ChainUpdate,
    pooled: ReadonlySet<string>,
  ): Promise<ReadonlySet<string> | 'all'> {
    const { cache, config, chains, logger } = this.#options
    const { chainId, before, block, changes } = update
    const chain = chains.find(({ id }) => id === chainId)
    if (!chain || !before || !block || config.minChange === 0 || !changes) {
      return 'all'
    }
    if (hasChangedMetadata(changes, chain.stablecoins)) {
      return 'all'
    }
    const head = { ...block, metadataVersion: update.metadataVersion }
    const previous = cache.get(
      getPriceKey(chain, { ...before.block, ...before }, before.block.number),
    )
    const now = performance.now()
    const isEnd = now >= (this.#ends.get(chainId) ?? 0)
    if (isEnd) {
      this.#ends.set(chainId, now + 1000 * config.epochSeconds)
    }
    const checked = isEnd ? [...previous.keys()] : [...pooled].filter((token) => previous.has(token))
    try {
      const loaded = await this.#load(chain, head, checked)
      const changed = new Set(pooled)
      for (const [token, route] of loaded) {
        if (isSameRoute(previous.get(token), route, config.minChange)) {
          changed.delete(token)
        } else {
          changed.add(token)
        }
      }
      addDependents(changed, previous)
      const carried = cache.get(getPriceKey(chain, head, block.number))
      for (const [token, route] of previous) {
        if (!changed.has(token)) {
          carried.set(token, route)
        } else if (loaded.has(token)) {
          carried.set(token, loaded.get(token))
        }
      }
      cache.set(getPriceKey(chain, head, block.number), carried)
      return changed
    } catch (error) {
      logger.warn({ chain: chainId, err: error }, 'failed to update prices')
      return 'all'
    }
  }

  async #load(
    chain: ChainConfig,
    head: Parameters<typeof getPriceKey>[1] & { readonly number: number; readonly time: number },
    tokens: readonly string[],
  ): Promise<CachedRoutes> {
    const routes: CachedRoutes = new Map()
    for (let start = 0; start < tokens.length; start += maxTokens) {
      const some = tokens.slice(start, start + maxTokens)
      const books = await this.#options.read(chain.id, (db) =>
        loadPriceBooks(db, [{ chain, head, tokens: some }], [], new PriceCache()),
      )
      for (const token of some) {
        routes.set(token, books.get(chain.id)?.now.get(token))
      }
    }
    return routes
  }
}

/** Adds the tokens with a route that passes a changed token. */
function addDependents(changed: Set<string>, routes: CachedRoutes): void {
  const causes = new Set(changed)
  if (causes.size === 0) {
    return
  }
  for (const [token, route] of routes) {
    if (route?.legs.some(({ tokens }) => tokens.slice(1).some((passed) => causes.has(passed)))) {
      changed.add(token)
    }
  }
}

function hasChangedMetadata(changes: readonly ChainChange[], tokens: readonly string[]): boolean {
  return changes.some(({ keys }) => keys?.contracts.some((contract) => tokens.includes(contract)))
}

/** Whether two routes differ by less than a limit in price and liquidity, and not at all otherwise. */
export function isSameRoute(
  before: Route | undefined,
  after: Route | undefined,
  minChange: number,
): boolean {
  if (!before || !after) {
    return before === after
  }
  return (
    isClose(before.price, after.price, minChange) &&
    (before.poolSize === undefined || after.poolSize === undefined
      ? before.poolSize === after.poolSize
      : isClose(before.poolSize, after.poolSize, minChange)) &&
    serialize(before) === serialize(after)
  )
}

/** The parts of a route without price and liquidity, which every swap changes. */
function serialize({ price, poolSize, ...route }: Route): string {
  return JSON.stringify(route, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
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
