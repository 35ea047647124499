import type { WatchOptions } from '../streams/WatchOptions.ts'

/**
 * How to watch a listing. `Item` is one of its rows, `Data` what `select` makes of all that are handed out.
 *
 * @example
 * import type { CollectionOptions, Holder } from '@headwater/core'
 * const options: CollectionOptions<Holder> = { pageSize: 50, maxPages: 4, refetchInterval: 60_000 }
 */
export interface CollectionOptions<Item, Data = readonly Item[]> extends WatchOptions<
  readonly Item[],
  Data
> {
  /**
   * How many rows to hand out at first, and how many more with each `fetchNextPage`; at least 1. The service is asked for
   * its largest page all the same, as a request costs the same. Default: whole pages of the service.
   */
  readonly pageSize?: number
  /** Most pages of the service to read, the first included. Default: any number. */
  readonly maxPages?: number
}

/**
 * Parameters of an operation that lists, without those that pages are asked by.
 *
 * @example
 * import type { BalancesParameters, ListParameters } from '@headwater/core'
 * const wallet: ListParameters<BalancesParameters> = {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 * }
 */
export type ListParameters<Parameters> = Omit<Parameters, 'limit' | 'offset'>
