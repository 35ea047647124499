import type { HistoricalPrice } from '@headwater/contract'
import { isLowLiquidity } from '../amounts/isLowLiquidity.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { isHeldBack } from '../errors/isHeldBack.ts'
import { toHeadwaterError } from '../errors/toHeadwaterError.ts'
import type { Pollable, PolledState } from '../streams/Pollable.ts'
import type { Watcher } from '../streams/Watcher.ts'
import { PastPrices } from './PastPrices.ts'
import type { PriceSource, PriceTick } from './PriceTick.ts'
import { priceKey } from './PriceToken.ts'

/** A stream that watches a price. */
export interface PriceWatcher extends Watcher {
  /** The hours in the past whose prices it wants. */
  readonly offsets: readonly number[]
}

/** What a row of an answer tells of a token. */
export interface PricedRow {
  readonly chain_id: number
  readonly address?: string
  readonly price_usd?: number
  readonly pool_size?: number
  readonly low_liquidity?: boolean
  readonly historical_prices?: readonly HistoricalPrice[]
}

/** No answer comes later than this after it was made: within this time the service's clock orders answers. */
const longestDelivery = 60_000
/** Whoever comes within this many milliseconds of an answer, or in the place of another, brings no new question. */
const moment = 100
/** For how many milliseconds a failure is shown to whoever comes, at most, rather than to ask again. */
const patience = 10_000

/**
 * The price of one token: what is known of it and who wants to know it. Polled for as long as anybody watches it.
 */
export class Price implements Pollable {
  readonly key: string
  readonly chainId: number
  readonly address: string
  readonly watchers = new Set<PriceWatcher>()
  /** Compute units that its last poll cost: its share, when one request told many. */
  cost = 1
  /** The newest price. */
  tick: PriceTick | undefined
  /** Why it could not be learned; null after it was. */
  error: HeadwaterError | null = null
  /** How many answers told of it. */
  told = 0
  /** Which ways to ask are left: 0 all, 1 all but wallets, 2 only token info. */
  way = 0
  /** Which are left from the start: those that failed for this token for good are not tried again. */
  leastWay = 0
  /** When the last enabled watcher left, by the local clock. */
  leftAt = -Infinity
  /** Who asked for it, which nothing told since: 0 nobody, 1 the poller, which has a share of the budget, 2 somebody else. */
  urgency = 0
  /** Why its last poll was not made: the poller's to know, and nobody's to see. */
  held: Omit<PolledState, 'dataUpdatedAt' | 'errorUpdateCount'> | undefined
  /** What asks for it just now. */
  asking: Promise<void> | undefined
  /** What asks for what is missing of its past just now, which may wait for the budget. */
  askingPast: Promise<void> | undefined
  /** Polls it, at what costs the fewest units, or joins what asks for it already. Never rejects. */
  readonly refetch: () => Promise<void>
  #past: PastPrices | undefined
  #heardAt = 0
  #servedAt = NaN
  #errorUpdatedAt = 0
  #errorUpdateCount = 0

  constructor(poll: (price: Price) => Promise<void>, chainId: number, address: string) {
    this.refetch = () => poll(this)
    this.chainId = chainId
    this.address = address
    this.key = priceKey(chainId, address)
  }

  get past(): PastPrices {
    return (this.#past ??= new PastPrices())
  }

  get interval(): number {
    let interval = Infinity
    for (const { enabled, refetchInterval } of this.watchers) {
      if (enabled) interval = Math.min(interval, refetchInterval)
    }
    return interval
  }

  get state(): PolledState {
    return {
      status: this.error ? 'error' : this.tick ? 'success' : 'pending',
      error: this.error,
      dataUpdatedAt: this.#heardAt,
      errorUpdatedAt: this.#errorUpdatedAt,
      errorUpdateCount: this.#errorUpdateCount,
      ...this.held,
    }
  }

  /** The hours in the past whose prices are to be asked for. */
  get missing(): number[] {
    // The price does not wait for its past.
    if (this.urgency && this.askingPast) return []
    const offsets = new Set<number>()
    for (const watcher of this.watchers) {
      if (watcher.enabled) for (const offset of watcher.offsets) offsets.add(offset)
    }
    return offsets.size > 0 ? this.past.missing([...offsets]) : []
  }

  /** Whether one more that looks is a reason to ask for it. */
  isDueFor({ enabled, staleTime, refetchInterval }: Watcher): boolean {
    const age = Date.now() - this.#heardAt
    const isStale = !this.tick || !(age >= 0 && age < Math.max(staleTime, moment))
    // It took the place of one that just left, as when a component renders with a new `select`: nobody came.
    const isNew = Math.abs(Date.now() - this.leftAt) >= moment
    return enabled && isStale && isNew && this.mayAsk(Math.min(refetchInterval, patience))
  }

  /**
   * Whether it may be asked for before its next poll: not after a refusal, nor sooner than the service allows.
   *
   * @param wait - For how many milliseconds at least a failure is no reason to ask again.
   */
  mayAsk(wait = 0): boolean {
    return !isHeldBack(this.error, this.#errorUpdatedAt, wait)
  }

  /**
   * Takes what an answer tells, unless something newer is known.
   *
   * @param sentAt - When it was asked for, by the local clock in milliseconds. One that does not say when it was made may
   *   have been made as early as that.
   * @param heardAt - When it came, by the local clock in milliseconds.
   * @param servedAt - When it was made, by the service's clock; NaN when it does not say.
   */
  take(
    row: PricedRow,
    source: PriceSource,
    sentAt: number,
    heardAt: number,
    servedAt: number,
  ): void {
    this.told++
    this.urgency = 0
    this.held = undefined
    for (const past of row.historical_prices ?? []) this.past.take(past, sentAt)
    // Of a clock that was set back since.
    const known = Math.min(this.#heardAt, Date.now())
    const isByOneClock =
      Math.abs(heardAt - known) < longestDelivery && !Number.isNaN(servedAt - this.#servedAt)
    if (isByOneClock ? servedAt < this.#servedAt : sentAt < known) return
    this.#heardAt = heardAt
    this.#servedAt = servedAt
    this.error = null
    const { price_usd } = row
    const lowLiquidity = isLowLiquidity(row)
    if (this.tick?.price_usd === price_usd && this.tick?.lowLiquidity === lowLiquidity) return
    this.tick = {
      ...(price_usd !== undefined && { price_usd }),
      observedAt: servedAt || heardAt,
      source,
      lowLiquidity,
    }
  }

  /** Takes note that it could not be learned. */
  fail(error: unknown): void {
    this.held = undefined
    this.error = toHeadwaterError(error)
    this.#errorUpdatedAt = Date.now()
    this.#errorUpdateCount++
  }
}
