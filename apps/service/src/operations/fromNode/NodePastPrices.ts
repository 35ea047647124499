import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import { fetchRoutes, type PoolCache } from '../../pricing/fetchRoutes.ts'
import { getQuoteTokens } from '../../pricing/getQuoteTokens.ts'
import { PastBlocks } from '../../pricing/PastBlocks.ts'
import type { Prices } from '../../pricing/PriceBook.ts'
import { loadRecordedPrices } from '../../pricing/recordedPrices.ts'
import type { Route } from '../../pricing/Route.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { totalSupplyCall } from '../../rpc/methods/Call.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../../store/Head.ts'
import { secondsPerHour, secondsPerMinute } from '../../time.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import { findDecimals, listPriced } from './findDecimals.ts'
import type { NodeSource } from './NodeSource.ts'
import type { TokenReader } from './TokenReader.ts'

/** Prices at a time in the past. */
interface PastPrices {
  readonly prices: Prices
  /** Whether they are those that were recorded, as no node has the states of that time. */
  readonly isRecorded: boolean
}

interface Options {
  readonly chain: ChainConfig
  readonly node: Pick<NodeSource, 'multicall' | 'getHeader' | 'getBlockTimes'>
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn'>
}

/** A response waits no longer for a block. */
const timeoutMs = 5_000
/** A call to it succeeds where a node has the state of a block. */
const anyAddress = `0x${'0'.repeat(40)}`
/** Blocks with prices in memory. */
const maxBlocks = 256
/** A recorded price counts for this many intervals of records, as one may be late. */
const maxRecordIntervals = 2

/**
 * Prices tokens at past blocks: by the states of their pools, where a node has them, otherwise by what was recorded. A
 * price that neither shows is unknown.
 */
export class NodePastPrices {
  readonly #options: Options
  readonly #tokens: TokenReader
  readonly #pools: PoolCache
  readonly #blocks: PastBlocks
  /** Routes by token, by hash of the block. */
  readonly #routes = new LRUCache<string, Map<string, Route | undefined>>({ max: maxBlocks })

  /** @param pools - those of current prices, which are searched at the head. */
  constructor(options: Options, tokens: TokenReader, pools: PoolCache) {
    this.#options = options
    this.#tokens = tokens
    this.#pools = pools
    this.#blocks = new PastBlocks(options.chain, async (number) => {
      const times = await options.node.getBlockTimes([number], { timeoutMs })
      return times.get(number) as number
    })
  }

  /**
   * Loads the prices of tokens, and of the quote tokens, some hours before the head.
   *
   * @returns for each offset, in the same order.
   */
  async load(
    tokens: readonly ChainToken[],
    head: Head,
    hours: readonly number[],
  ): Promise<PastPrices[]> {
    return await Promise.all(
      hours.map(async (offset) => {
        const time = head.time - offset * secondsPerHour
        const computed = await this.#compute(tokens, head, time).catch((error: unknown) => {
          const { chain, logger } = this.#options
          logger.warn({ chain: chain.id, err: error }, 'failed to read past prices')
          return undefined
        })
        return computed
          ? { prices: computed, isRecorded: false }
          : { prices: await this.#loadRecorded(tokens, time), isRecorded: true }
      }),
    )
  }

  /** Whether a node has the state some hours before the head, or that of the first block. */
  async hasState(head: Head, hours: number): Promise<boolean> {
    const { chain, node } = this.#options
    const found = await this.#blocks.find(head.time - hours * secondsPerHour, head)
    const number = found ?? Math.min(chain.startBlock, head.number)
    const block = await node.getHeader(number, AbortSignal.timeout(timeoutMs))
    if (!block) {
      return false
    }
    const options = { timeoutMs, depth: head.number - number }
    const [result] = await node.multicall([totalSupplyCall(anyAddress)], block, options)
    return result?.status !== 'failed'
  }

  /** @returns undefined where no node has the state of the block, or returns the decimals of the quote tokens. */
  async #compute(
    tokens: readonly ChainToken[],
    head: Head,
    time: number,
  ): Promise<Prices | undefined> {
    const number = await this.#blocks.find(time, head)
    if (number === undefined) {
      return new Map()
    }
    const block = await this.#options.node.getHeader(number, AbortSignal.timeout(timeoutMs))
    return block && (await this.#computeAt(tokens, head, block))
  }

  async #computeAt(
    tokens: readonly ChainToken[],
    head: Head,
    block: BlockRef,
  ): Promise<Prices | undefined> {
    const { chain, node } = this.#options
    const routes = this.#routes.get(block.hash) ?? new Map<string, Route | undefined>()
    const quoteTokens = getQuoteTokens(chain)
    const requested = listPriced(quoteTokens, tokens)
    const missing = requested.filter((token) => !routes.has(token))
    if (missing.length > 0) {
      const decimals = await findDecimals(missing, tokens, quoteTokens, this.#tokens, head)
      const depth = head.number - block.number
      const past: Pick<NodeSource, 'multicall'> = {
        multicall: (calls, at, options) => node.multicall(calls, at, { ...options, depth }),
      }
      const found =
        decimals &&
        (await fetchRoutes(node, chain, decimals, head, this.#pools, { node: past, block }))
      if (!found) {
        return undefined
      }
      for (const token of missing) {
        routes.set(token, found.routes.get(token)?.route)
      }
      this.#routes.set(block.hash, routes)
    }
    return new Map(
      requested.flatMap((token) => {
        const route = routes.get(token)
        return route ? [[token, route]] : []
      }),
    )
  }

  async #loadRecorded(tokens: readonly ChainToken[], time: number): Promise<Prices> {
    const { db, chain } = this.#options
    const seconds = maxRecordIntervals * chain.priceHistory.bucketMinutes * secondsPerMinute
    const range = { after: time - seconds, to: time }
    const requested = listPriced(getQuoteTokens(chain), tokens)
    const prices = await loadRecordedPrices(db, chain.id, requested, range)
    return new Map([...prices].map(([token, price]) => [token, { price, legs: [] }]))
  }
}
