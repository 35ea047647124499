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
   * that a request takes, are split. A past price is asked for again only when the moment that it is of is off by a 24th of
   * the offset, or by an hour.
   */
  readonly historicalPrices?: readonly number[]
}
