import type { ChainConfig, Config } from '../config/Config.ts'
import type { AssessedPool } from './AssessedPool.ts'
import { findPrices, type ReadStore } from './findPrices.ts'
import { isSameRoute } from './isSameRoute.ts'
import { hasTokenOf, type PointPrices } from './PointPrices.ts'
import type { PricedHead } from './PriceCache.ts'

/** What the next block takes over. */
export interface Refreshed {
  /** Tokens with prices that have to be found again. */
  readonly tokens: readonly string[]
  /** Pools with new windows at a block, by token; undefined for those that are loaded when they are used. */
  readonly pools: ReadonlyMap<string, readonly AssessedPool[] | undefined>
  readonly block: number
  /** Whether an epoch ended. */
  readonly isStart: boolean
}

/** The epoch of a chain. */
interface Epoch {
  /** By `performance.now()`. */
  readonly startedAt: number
  /** The tokens that are priced again, and how many of them were. */
  readonly tokens: readonly string[]
  readonly next: number
}

interface ChainRefresh {
  epoch: Epoch | undefined
  isRunning: boolean
  refreshed: Refreshed | undefined
  /** Tokens with other metadata since the last run began, with which its pools may have been loaded or not. */
  described: Set<string>
}

/**
 * Finds the prices of tokens again, whatever blocks change: each once per epoch, as it also depends on pools of other tokens and
 * on time. It does so between blocks, so that none waits for it; the next block takes over what changed.
 */
export class PriceRefresh {
  readonly #read: ReadStore
  readonly #config: Config['prices']
  readonly #chains = new Map<number, ChainRefresh>()

  constructor(read: ReadStore, config: Config['prices']) {
    this.#read = read
    this.#config = config
  }

  /**
   * Finds the prices of due tokens again, once per block. One call per chain runs at once, and none before what the last one
   * found is taken. After an error, they remain due.
   *
   * @param prices - those of a published block.
   */
  async run(chain: ChainConfig, head: PricedHead, prices: PointPrices): Promise<void> {
    const state = this.#get(chain.id)
    // Without epochs, each block finds all of them.
    if (state.isRunning || state.refreshed || this.#config.epochSeconds === 0) {
      return
    }
    state.isRunning = true
    state.described = new Set()
    try {
      const { due, epoch, isStart } = getDue(state.epoch, prices, 1000 * this.#config.epochSeconds)
      const found = prices.draft(chain)
      const unsteady = findUnsteady(due, prices)
      unsteady.forEach((token) => found.pools.delete(token))
      const tokens = due.filter((token) => found.routes.delete(token))
      await findPrices(this.#read, { chain, head, prices: found, tokens })
      if (this.#chains.get(chain.id) !== state) {
        return
      }
      const isChanged = (token: string) => {
        const before = prices.routes.get(token)
        const after = found.routes.get(token)
        return !isSameRoute(before, after, this.#config.minChange)
      }
      state.epoch = epoch
      state.refreshed = {
        tokens: tokens.filter(isChanged),
        pools: new Map(unsteady.map((token) => [token, found.pools.get(token)])),
        block: head.number,
        isStart,
      }
    } finally {
      state.isRunning = false
    }
  }

  /** Takes what was found since the last call. */
  take(chainId: number, previous: PointPrices): Refreshed | undefined {
    if (this.#config.epochSeconds === 0) {
      const tokens = listTokens(previous)
      const pools = new Map(findUnsteady(tokens, previous).map((token) => [token, undefined]))
      return { tokens, pools, block: 0, isStart: true }
    }
    const state = this.#get(chainId)
    const { refreshed, described } = state
    state.refreshed = undefined
    if (!refreshed || described.size === 0) {
      return refreshed
    }
    const isDescribed = ({ pool }: AssessedPool) => hasTokenOf(pool, described)
    const pools = [...refreshed.pools].map(([token, ofToken]) => {
      return [token, ofToken?.some(isDescribed) ? undefined : ofToken] as const
    })
    return { ...refreshed, pools: new Map(pools) }
  }

  /** Discards the pools of tokens with other metadata, also those that are still being loaded. */
  describe(chainId: number, tokens: Iterable<string>): void {
    const { described } = this.#get(chainId)
    for (const token of tokens) {
      described.add(token)
    }
  }

  /** Discards what was found of a chain, whose pools are not valid any more. */
  clear(chainId: number): void {
    const { epoch } = this.#get(chainId)
    this.#chains.set(chainId, { ...createRefresh(), epoch })
  }

  #get(chainId: number): ChainRefresh {
    const state = this.#chains.get(chainId) ?? createRefresh()
    this.#chains.set(chainId, state)
    return state
  }
}

function createRefresh(): ChainRefresh {
  return { epoch: undefined, isRunning: false, refreshed: undefined, described: new Set() }
}

/**
 * The tokens of an epoch that have become due since the last call: as many as the time since then is of the epoch. Also the
 * epoch that continues once their prices are found.
 */
function getDue(
  epoch: Epoch | undefined,
  prices: PointPrices,
  epochMs: number,
): { readonly due: readonly string[]; readonly epoch: Epoch; readonly isStart: boolean } {
  const now = performance.now()
  const elapsed = now - (epoch?.startedAt ?? -Infinity)
  if (epoch && elapsed < epochMs) {
    const next = Math.ceil((elapsed / epochMs) * epoch.tokens.length)
    return { due: epoch.tokens.slice(epoch.next, next), epoch: { ...epoch, next }, isStart: false }
  }
  return {
    due: epoch?.tokens.slice(epoch.next) ?? [],
    epoch: { startedAt: now, tokens: listTokens(prices), next: 0 },
    isStart: true,
  }
}

function listTokens({ routes, pools }: PointPrices): string[] {
  return [...new Set([...pools.keys(), ...routes.keys()])]
}

/** The tokens with a pool of which the assessment depends on time. */
function findUnsteady(tokens: readonly string[], { pools }: PointPrices): string[] {
  return tokens.filter((token) => pools.get(token)?.some(({ isSteady }) => !isSteady))
}
