import { replaceEqualDeep } from '@tanstack/query-core'
import { priceChange } from '../amounts/priceChange.ts'
import type { Client } from '../client/Client.ts'
import { makeQueryKey } from '../operation/queryKey.ts'
import { createInvalidSource } from '../streams/createInvalidSource.ts'
import { createSnapshotReader } from '../streams/createSnapshotReader.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import { streamKey } from '../streams/streamKey.ts'
import { createWatcher } from '../streams/Watcher.ts'
import type { Price } from './Price.ts'
import { priceIndexOf } from './createPriceIndex.ts'
import type { PriceTick } from './PriceTick.ts'
import { findInvalidToken, priceKey, type PriceToken } from './PriceToken.ts'
import type { WatchPriceOptions } from './WatchPriceOptions.ts'

/** A past price is shown for this many tolerances: a little longer than it is good for, until the next one is there. */
const shownFor = 2

/**
 * A stream of what is known of some prices.
 *
 * @param name - Tells streams of one shape from those of another.
 * @param shape - Makes the data of the ticks, of which some may not be known; undefined for none.
 */
export function createPriceStream<T, S>(
  client: Client,
  name: string,
  tokens: readonly PriceToken[],
  options: WatchPriceOptions<T, S>,
  shape: (ticks: (PriceTick | undefined)[]) => T | undefined,
): SnapshotStream<S> {
  const { historicalPrices = [] } = options
  const keys = tokens.map(({ chainId, address }) => priceKey(chainId, address))
  const key = streamKey({ queryKey: [name, keys, historicalPrices] }, options)
  return client.streams.share(key, () => {
    // Copies, as the caller may change its own lists while this stream goes on.
    const offsets = [...historicalPrices]
    const asked = tokens.map(({ chainId, address }) => ({ chainId, address }))
    const invalid = asked.map((token) => findInvalidToken(token, offsets)).find(Boolean)
    if (invalid) return createInvalidSource(options, invalid)
    const index = priceIndexOf(client)
    const find = () => asked.map(({ chainId, address }) => index.price(chainId, address))
    const toSnapshot = createSnapshotReader(options, async () => {
      await Promise.all(find().map((price) => index.ask(price)))
    })
    let data: T | undefined
    /** What the data was made of. */
    let ticks: readonly (PriceTick | undefined)[] | undefined
    let stop = () => {}
    let watched: Price[] | undefined

    return {
      read() {
        const prices = watched ?? find()
        const newest = prices.map((price) => tickOf(price, offsets))
        // Read several times a render: to compare deeply would be most of the work.
        if (!ticks || newest.some((tick, index) => tick !== ticks?.[index])) {
          ticks = newest
          data = replaceEqualDeep(data, shape(newest))
        }
        // No failure goes over to the browser that a server renders for.
        const isLeftOut = client.ssr && !watched
        const error = (isLeftOut ? undefined : prices.find((price) => price.error)?.error) ?? null
        return toSnapshot({
          status: error ? 'error' : data === undefined ? 'pending' : 'success',
          data,
          error,
        })
      },
      start(update) {
        const queryKey = makeQueryKey(client.baseUrl, name, {})
        const { staleTime } = client.queryClient.defaultQueryOptions({ queryKey })
        const watcher = { ...createWatcher(options, staleTime, update), offsets }
        watched = find()
        const stops = watched.map((price) => index.watch(price, watcher))
        stop = () => {
          watched = undefined
          for (const each of stops) each()
        }
      },
      stop: () => stop(),
    }
  })
}

function tickOf({ tick, past }: Price, offsets: readonly number[]): PriceTick | undefined {
  if (!tick || offsets.length === 0) return tick
  const known = offsets.flatMap((offset) => past.find(offset, shownFor) ?? [])
  const changed = { ...tick, historical_prices: known }
  return {
    ...changed,
    changes: offsets.map((offset) => {
      const percent = priceChange(changed, offset)
      return { offset_hours: offset, ...(percent !== undefined && { percent }) }
    }),
  }
}
