import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import { writeRecordedPrices } from '../../pricing/recordedPrices.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../../store/Head.ts'
import { msPerDay, msPerMinute, secondsPerDay } from '../../time.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import type { NodePastPrices } from './NodePastPrices.ts'
import type { NodePrices } from './NodePrices.ts'

interface Options {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn'>
}

/** Tokens whose prices are recorded, the latest requested ones, for a day after each request. */
const maxTokens = 500
/** With the state of a week ago, nodes need no records. */
const probedHours = 7 * 24

/**
 * Records the prices of requested tokens at intervals, if the nodes of their chain have no past states, so that they are
 * known later.
 */
export class PriceRecorder {
  readonly #options: Options
  readonly #prices: NodePrices
  readonly #past: NodePastPrices
  readonly #findHead: () => Promise<Head | undefined>
  readonly #tokens = new LRUCache<string, ChainToken>({ max: maxTokens, ttl: msPerDay })
  #timer: NodeJS.Timeout | undefined
  #recording: Promise<void> | undefined
  #isClosed = false

  constructor(
    options: Options,
    prices: NodePrices,
    past: NodePastPrices,
    findHead: () => Promise<Head | undefined>,
  ) {
    this.#options = options
    this.#prices = prices
    this.#past = past
    this.#findHead = findHead
  }

  /** Adds tokens that a client requested. */
  watch(tokens: readonly ChainToken[]): void {
    for (const token of tokens) {
      this.#tokens.set(token.address, token)
    }
    if (!this.#timer && !this.#isClosed) {
      const intervalMs = this.#options.chain.priceHistory.bucketMinutes * msPerMinute
      this.#timer = setInterval(() => {
        // One that takes longer than the interval continues alone.
        this.#recording ??= this.record().finally(() => (this.#recording = undefined))
      }, intervalMs)
      this.#timer.unref()
    }
  }

  /** Records the current prices. Failures are logged. */
  async record(): Promise<void> {
    const { db, chain, logger } = this.#options
    try {
      const head = await this.#findHead()
      const tokens = [...this.#tokens.values()]
      if (!head || tokens.length === 0 || (await this.#past.hasState(head, probedHours))) {
        return
      }
      const book = await this.#prices.load(tokens, head)
      const prices = new Map([...(book?.now ?? [])].map(([token, { price }]) => [token, price]))
      const before = head.time - chain.priceHistory.exactDays * secondsPerDay
      await writeRecordedPrices(db, chain.id, prices, { time: head.time, before })
    } catch (error) {
      logger.warn({ chain: chain.id, err: error }, 'failed to record prices')
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#recording
  }
}
