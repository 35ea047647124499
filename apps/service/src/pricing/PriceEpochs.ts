import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig, Config } from '../config/Config.ts'
import type { ChainUpdate } from '../store/ChainWatch.ts'
import type { ChainChange } from '../store/changes.ts'
import type { Database } from '../store/Database.ts'
import { getPriceKey, loadPriceBooks, type PriceRequest } from './loadPriceBooks.ts'
import { type CachedRoutes, PriceCache } from './PriceCache.ts'
import { compareRationals, type Rational } from './Rational.ts'
import type { FoundRoute } from './Route.ts'

/** Tokens per query. */
const maxTokens = 1_000
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
   * @param pooled - the tokens with changed pools or decimals.
   * @returns the tokens with prices that changed, or are not known.
   */
  async advance(
    update: ChainUpdate,
    pooled: Iterable<string>,
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
    const changed = new Set(pooled)
    const checked = isEnd
      ? [...previous.routes.keys()]
      : [...changed].filter((token) => previous.routes.has(token))
    try {
      const loaded = await this.#load(chain, head, checked)
      if (loaded.depegged && !isEqualSet(loaded.depegged, previous.depegged)) {
        return 'all'
      }
      for (const [token, found] of loaded.routes) {
        if (isSameRoute(previous.routes.get(token), found, config.minChange)) {
          changed.delete(token)
        } else {
          changed.add(token)
        }
      }
      addDependents(changed, previous.routes)
      const key = getPriceKey(chain, head, block.number)
      const carried = cache.get(key)
      carried.depegged ??= previous.depegged
      const first = previous.routes.size - maxCarried
      for (const [index, [token, found]] of [...previous.routes].entries()) {
        const current = changed.has(token) ? loaded.routes.get(token) : found
        if (index < first) {
          changed.add(token)
        } else if (current) {
          carried.routes.set(token, current)
        }
      }
      cache.set(key, carried)
      return changed
    } catch (error) {
      logger.warn({ chain: chainId, err: error }, 'failed to update prices')
      return 'all'
    }
  }

  async #load(
    chain: ChainConfig,
    head: PriceRequest['head'],
    tokens: readonly string[],
  ): Promise<CachedRoutes> {
    const loaded: CachedRoutes = { routes: new Map(), depegged: undefined }
    for (let start = 0; start < tokens.length; start += maxTokens) {
      const some = tokens.slice(start, start + maxTokens)
      const books = await this.#options.read(chain.id, (db) =>
        loadPriceBooks(db, [{ chain, head, tokens: some }], [], new PriceCache()),
      )
      const book = books.get(chain.id)
      for (const token of some) {
        const rejected = book?.rejected.get(token) ?? []
        loaded.routes.set(token, { route: book?.now.get(token), rejected })
      }
      loaded.depegged = book?.depegged
    }
    return loaded
  }
}

/** Adds the tokens with a route that passes a changed token. */
function addDependents(changed: Set<string>, routes: CachedRoutes['routes']): void {
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

function hasChangedMetadata(changes: readonly ChainChange[], tokens: readonly string[]): boolean {
  return changes.some(({ keys }) => keys?.contracts.some((contract) => tokens.includes(contract)))
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
