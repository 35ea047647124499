import type { WatchOptions } from '../streams/WatchOptions.ts'

/**
 * How to watch prices: as {@link WatchOptions}, and over which time to tell changes.
 *
 * @example
 * import type { PriceTick, WatchPriceOptions } from '@headwater/core'
 * const dayAndWeek: WatchPriceOptions<PriceTick> = { historicalPrices: [24, 168] }
 */
export interface WatchPriceOptions<T, S = T> extends Omit<WatchOptions<T, S>, 'gcTime'> {
  /**
   * Hours in the past, each at least 1, over which `changes` are told. Any number of them: more than three, which is all
   * that a request takes, are split. As their moments move on, a past price is asked for again once it is off by more than a
   * 24th of the offset, or an hour: one of 1 h every 150 s, of a day or more every hour; with the price, where that is polled.
   */
  readonly historicalPrices?: readonly number[]
}
