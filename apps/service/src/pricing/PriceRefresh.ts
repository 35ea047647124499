import type { ChainConfig, Config } from '../config/Config.ts'
import type { Head } from '../store/Head.ts'
import { extendPrices, type ReadStore } from './extendPrices.ts'
import { isSameRoute } from './isSameRoute.ts'
import type { PointPrices } from './PointPrices.ts'
import { hasTokenOf } from './Pool.ts'
import type { PoolsAt } from './updatePools.ts'
import { VersionedMap } from './VersionedMap.ts'

/** What the next block takes over. */
export interface Refreshed extends PoolsAt {
  /** Tokens with prices that have to be found again. */
  readonly tokens: readonly string[]
  /** Tokens with pools that have to be assessed again. Those that are not among `pools` are loaded when they are used. */
  readonly unsteady: readonly string[]
  /** Whether an epoch ended. */
  readonly isStart: boolean
}

interface Epoch {
  /** By `performance.now()`. */
  readonly startedAt: number
  /** The tokens that are priced again, and how many of them were. */
  readonly tokens: readonly string[]
  readonly next: number
}

/** The latest run, and what it found until that is taken. */
interface Run {
  isRunning: boolean
  refreshed: Refreshed | undefined
  /** Tokens with other metadata since it began, with which their pools may have been loaded or not. */
  discarded: Set<string>
}

interface PriceRefreshOptions {
  readonly chain: ChainConfig
  readonly config: Config['prices']
  readonly read: ReadStore
}

/**
 * Finds the prices of tokens of a chain again, whatever blocks change: each once per epoch, as it also depends on pools of other
 * tokens and on time. It does so between blocks, so that none waits for it; the next block takes over what changed.
 */
export class PriceRefresh {
  readonly #options: PriceRefreshOptions
  #epoch: Epoch | undefined
  #run: Run = createRun()

  constructor(options: PriceRefreshOptions) {
    this.#options = options
  }

  /**
   * Finds the prices of due tokens again, once per block. One call runs at once, and none before what the last one found is taken.
   * After an error, they remain due.
   *
   * @param prices - those of a published block.
   */
  async run(head: Head, prices: PointPrices): Promise<void> {
    const { chain, read, config } = this.#options
    const run = this.#run
    // Without epochs, each block finds all of them.
    if (run.isRunning || run.refreshed || config.epochSeconds === 0) {
      return
    }
    run.isRunning = true
    run.discarded = new Set()
    try {
      const { due, epoch, isStart } = getDue(this.#epoch, prices, 1000 * config.epochSeconds)
      const found = prices.draft(chain)
      const unsteady = findUnsteady(due, prices)
      unsteady.forEach((token) => found.pools.delete(token))
      const tokens = due.filter((token) => found.routes.delete(token))
      await extendPrices(read, { chain, head, prices: found, tokens })
      if (this.#run !== run) {
        return
      }
      const isChanged = (token: string) => {
        const before = prices.routes.get(token)
        const after = found.routes.get(token)
        return !isSameRoute(before, after, config.minChange)
      }
      const loaded = unsteady.flatMap((token) => {
        const pools = found.pools.get(token)
        return pools ? [[token, pools] as const] : []
      })
      this.#epoch = epoch
      run.refreshed = {
        tokens: tokens.filter(isChanged),
        unsteady,
        pools: new VersionedMap(loaded),
        block: head.number,
        isStart,
      }
    } finally {
      run.isRunning = false
    }
  }

  /** Takes what was found since the last call. */
  take(previous: PointPrices): Refreshed | undefined {
    if (this.#options.config.epochSeconds === 0) {
      const tokens = listTokens(previous)
      const unsteady = findUnsteady(tokens, previous)
      return { tokens, unsteady, pools: new VersionedMap(), block: 0, isStart: true }
    }
    const { refreshed, discarded } = this.#run
    this.#run.refreshed = undefined
    for (const [token, pools] of refreshed?.pools ?? []) {
      if (pools.some(({ pool }) => hasTokenOf(pool, discarded))) {
        refreshed?.pools.delete(token)
      }
    }
    return refreshed
  }

  /** Discards the pools of tokens with other metadata, also those that are still being loaded. */
  discardPools(tokens: Iterable<string>): void {
    for (const token of tokens) {
      this.#run.discarded.add(token)
    }
  }

  /** Discards what was found, whose pools are not valid any more. */
  clear(): void {
    this.#run = createRun()
  }
}

function createRun(): Run {
  return { isRunning: false, refreshed: undefined, discarded: new Set() }
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
