import type { HistoricalPrice } from '@headwater/contract'
import { isLowLiquidity } from '../amounts/isLowLiquidity.ts'
import { type HeadwaterError, toHeadwaterError } from '../errors/HeadwaterError.ts'
import { isInBackoff } from '../errors/retryPolicy.ts'
import { getResumption } from '../polling/getResumption.ts'
import type { Pollable, PollState, ResumeOption, Resumption } from '../polling/Pollable.ts'
import { defaultIntervalMs, getInterval, type StreamObserver } from '../queries/WatchOptions.ts'
import { PastPrices } from './PastPrices.ts'
import type { PriceSource, PriceTick } from './PriceTick.ts'
import { getPriceKey } from './PriceToken.ts'

/** A stream that watches a price. */
export interface PriceObserver extends StreamObserver {
  /** Offsets in hours of the past prices it displays. */
  readonly offsets: readonly number[]
}

/** The price fields of an item of a response. */
export interface PricedRow {
  readonly chain_id: number
  readonly address?: string
  readonly price_usd?: number
  readonly pool_size?: number
  readonly low_liquidity?: boolean
  readonly historical_prices?: readonly HistoricalPrice[]
}

/**
 * Why a price is loaded: `poll` is limited to the polls' share of the budget; `user` is not; `background` loads past prices
 * only, and waits for the budget.
 */
export type PricePriority = 'background' | 'poll' | 'user'

/** Responses that arrive within this time of each other are ordered by the clock of the service. */
const maxLatencyMs = 60_000
/** A subscriber that follows the last one within this time may replace it. */
const unmountGraceMs = 100

/** The price of one token, with its observers. Polled while it is watched. */
export class Price implements Pollable {
  readonly key: string
  readonly chainId: number
  readonly address: string
  readonly observers = new Set<PriceObserver>()
  /** Compute units of its last request; its share if the request covered several prices. */
  cost = 1
  /** The latest price. */
  tick: PriceTick | undefined
  /** Error of the latest attempt; null after a success. */
  error: HeadwaterError | null = null
  /** Number of responses that contained the price. */
  responseCount = 0
  /** The source to try next. Sources are tried from the cheapest: `balances`, `tokenBalance`, `tokenInfo`. */
  nextSource: PriceSource = 'balances'
  /** The first source to try, beyond those that cannot return this token. */
  firstSource: PriceSource = 'balances'
  /** Local time at which the last enabled observer left. */
  leftAt = -Infinity
  /** Set while the current price is requested, until a response contains it. */
  requested: Exclude<PricePriority, 'background'> | undefined
  /** Whether `refetch` requested it while no stream watched it: the request is sent although they left while it waited. */
  isRefetched = false
  /** State for the poller, and only for it, after the budget rejected a poll. */
  rejectedPoll: Omit<PollState, 'dataUpdatedAt' | 'errorUpdateCount'> | undefined
  /** The request for the current price in flight. */
  loading: Promise<void> | undefined
  /** The request for past prices in flight, which may wait for the budget. */
  loadingPast: Promise<void> | undefined
  /** Whether it was sent, or waits for the budget. Before, one for the current price may include the past prices. */
  isPastSent = false
  readonly poll: () => Promise<void>
  #past: PastPrices | undefined
  #updatedAt = 0
  /** Local time at which the latest response was requested. */
  #sentAt = 0
  /** Timestamp of the latest response by the clock of the service; NaN if it had none. */
  #servedAt = NaN
  #errorUpdatedAt = 0
  #errorUpdateCount = 0

  constructor(poll: (price: Price) => Promise<void>, chainId: number, address: string) {
    this.poll = () => poll(this)
    this.chainId = chainId
    this.address = address
    this.key = getPriceKey(chainId, address)
  }

  /** Created on first use, as most prices of a large wallet are displayed without past prices. */
  get past(): PastPrices {
    return (this.#past ??= new PastPrices())
  }

  get interval(): number {
    let interval = Infinity
    for (const { enabled, refetchInterval } of this.observers) {
      if (enabled) {
        interval = Math.min(interval, getInterval(refetchInterval, this))
      }
    }
    return interval
  }

  get state(): PollState {
    return {
      status: this.error ? 'error' : this.tick ? 'success' : 'pending',
      error: this.error,
      dataUpdatedAt: this.#updatedAt,
      errorUpdatedAt: this.#errorUpdatedAt,
      errorUpdateCount: this.#errorUpdateCount,
      ...this.rejectedPoll,
    }
  }

  /** Offsets of past prices that must be requested. */
  get missingOffsets(): number[] {
    // The current price does not wait for past prices.
    if (this.requested && this.loadingPast && this.isPastSent) {
      return []
    }
    const offsets = new Set<number>()
    for (const observer of this.observers) {
      if (observer.enabled) {
        for (const offset of observer.offsets) {
          offsets.add(offset)
        }
      }
    }
    return offsets.size > 0 ? this.past.findMissing([...offsets]) : []
  }

  /** Whether a new observer triggers a request. */
  shouldLoadFor({ enabled, staleTime, refetchInterval }: StreamObserver): boolean {
    const age = Date.now() - this.#updatedAt
    // The observer may replace one that just left, as when a component renders with a new function as an option.
    const isReplacement = Math.abs(Date.now() - this.leftAt) < unmountGraceMs
    const minAge = isReplacement ? defaultIntervalMs : unmountGraceMs
    const isStale = !this.tick || !(age >= 0 && age < Math.max(staleTime, minAge))
    return (
      enabled &&
      isStale &&
      // A new subscriber does not retry a recent failure.
      this.mayLoad(Math.min(getInterval(refetchInterval, this), defaultIntervalMs))
    )
  }

  getResumption(option: ResumeOption): Resumption {
    return this.mayLoad()
      ? getResumption(
          this.observers,
          option,
          this,
          (staleTime) => Math.abs(Date.now() - this.#updatedAt) >= staleTime,
        )
      : 'due'
  }

  /**
   * Whether the price may be requested before its next poll: not after a fatal error, nor before the service allows.
   *
   * @param minDelayMs - Minimum delay after any error.
   */
  mayLoad(minDelayMs = 0): boolean {
    return !isInBackoff(this.error, this.#errorUpdatedAt, minDelayMs)
  }

  /**
   * Applies an item of a response, unless a more recent price is known.
   *
   * @param sentAt - Local time of the request in milliseconds, which orders responses without a timestamp. That of a hydrated
   *   response may be in the future, if the clock of the server is ahead.
   * @param receivedAt - Local time of the response in milliseconds; likewise.
   * @param servedAt - Timestamp of the response by the clock of the service; NaN if it has none.
   */
  update(
    row: PricedRow,
    source: PriceSource,
    { sentAt, receivedAt, servedAt }: { sentAt: number; receivedAt: number; servedAt: number },
  ): void {
    this.responseCount++
    this.requested = undefined
    this.rejectedPoll = undefined
    for (const past of row.historical_prices ?? []) {
      this.past.add(past, sentAt)
    }
    const isComparable =
      Math.abs(receivedAt - this.#updatedAt) < maxLatencyMs &&
      !Number.isNaN(servedAt - this.#servedAt)
    // A future time is from before the clock was set back, or from another clock: ignored.
    const isEarlier = isComparable
      ? servedAt < this.#servedAt
      : sentAt < this.#sentAt && this.#sentAt <= Date.now()
    if (isEarlier) {
      return
    }
    this.#updatedAt = receivedAt
    this.#sentAt = sentAt
    this.#servedAt = servedAt
    this.error = null
    const { price_usd } = row
    const lowLiquidity = isLowLiquidity(row)
    if (this.tick?.price_usd === price_usd && this.tick?.lowLiquidity === lowLiquidity) {
      return
    }
    this.tick = {
      ...(price_usd !== undefined && { price_usd }),
      observedAt: servedAt || receivedAt,
      source,
      lowLiquidity,
    }
  }

  fail(error: unknown): void {
    this.rejectedPoll = undefined
    this.error = toHeadwaterError(error)
    this.#errorUpdatedAt = Date.now()
    this.#errorUpdateCount++
  }
}
