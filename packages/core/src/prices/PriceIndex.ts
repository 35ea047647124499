import { focusManager, type Query } from '@tanstack/query-core'
import type { BalancesParameters, BalancesResponse, TokenInfoResponse } from '@headwater/contract'
import type { Client, ResponseEvent } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import { isObject } from '../isObject.ts'
import { createQueryKey, getQueryHash, parseQueryKey } from '../queries/queryKey.ts'
import { type PricedWallet, zeroAddress } from './planPriceRequests.ts'
import { Price, type PricedRow, type PriceObserver } from './Price.ts'
import { PriceLoader, type PriceStore } from './PriceLoader.ts'
import type { PriceSource } from './PriceTick.ts'
import { getPriceKey } from './PriceToken.ts'

/** A response that contained prices. */
interface PriceResponse extends PricedWallet {
  readonly operation: string
}

/** Unwatched prices, and responses, beyond these numbers are evicted. */
const maxPrices = 10_000
const maxResponses = 100

/** The price index of a client, created on first use. */
export const getPriceIndex = /* @__PURE__ */ perClient((client) => new PriceIndex(client))

/**
 * All prices that a client knows: those of every response, requested by any code, and those that reach the cache in other
 * ways (hydration, persistence, other tabs).
 */
export class PriceIndex implements PriceStore {
  readonly #client: Client
  readonly #loader: PriceLoader
  /** By chain and token. */
  readonly prices = new Map<string, Price>()
  /** By query hash, least recently updated first. Without those of queries that were removed from the cache. */
  readonly #responses = new Map<string, PriceResponse>()
  /** The responses of the cache that were read. A fetch that is cancelled restores the one of before. */
  readonly #known = new WeakSet<object>()

  constructor(client: Client) {
    this.#client = client
    this.#loader = new PriceLoader(client, this)
    const cache = client.queryClient.getQueryCache()
    // In order of time, each price is the latest one without reading the clock, which prerendering forbids.
    cache
      .getAll()
      .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
      .forEach(this.#readQuery)
    const unsubscribe = cache.subscribe((event) => {
      // Prices must not be requested with the wallet of a previous user.
      if (event.type === 'removed') {
        this.#responses.delete(event.query.queryHash)
        // Nor with that of a request beside the cache.
        if (cache.getAll().length === 0) {
          this.#responses.clear()
        }
      }
      const { data } = event.query.state
      // Fetched responses are delivered by `responseListeners`.
      const isExternal =
        event.type === 'added' ||
        (event.type === 'updated' &&
          ((event.action.type === 'setState' && !this.#known.has(data as object)) ||
            (event.action.type === 'success' && event.action.manual)))
      if (isExternal) {
        this.#readQuery(event.query)
      } else if (isObject(data)) {
        this.#known.add(data)
      }
    })
    client.responseListeners.add(this.#onResponse)
    client.onDestroy(() => {
      unsubscribe()
      client.responseListeners.delete(this.#onResponse)
    })
  }

  /** Returns the price of a token, known or not. */
  get(chainId: number, address: string): Price {
    const key = getPriceKey(chainId, address)
    let price = this.prices.get(key)
    if (price) {
      return price
    }
    price = new Price((polled) => this.#loader.load(polled, 'poll'), chainId, address.toLowerCase())
    this.prices.set(key, price)
    evictOldest(this.prices, maxPrices, ({ observers }) => observers.size > 0)
    return price
  }

  /** Requests a price now. */
  load(price: Price): Promise<void> {
    return this.#loader.load(price)
  }

  /**
   * Watches a price, and requests it unless a fresh one is known.
   *
   * @returns Stops watching.
   */
  watch(price: Price, observer: PriceObserver): () => void {
    const { poller } = this.#client.streams
    const { observers } = price
    observers.add(observer)
    // The price may have been evicted since it was read.
    this.prices.set(price.key, price)
    if (observers.size === 1) {
      poller.add(price)
    } else {
      poller.reschedule(price)
    }
    if (price.shouldLoadFor(observer)) {
      void this.load(price)
    } else {
      this.#loadPast(price)
    }
    return () => {
      observers.delete(observer)
      if (observer.enabled) {
        price.leftAt = Date.now()
      }
      if (observers.size === 0) {
        poller.remove(price)
      }
    }
  }

  getPolledPrices(): Price[] {
    return [...this.prices.values()].filter(({ interval }) => interval < Infinity)
  }

  getWallets(): PricedWallet[] {
    return [...this.#responses.values()].filter(({ operation }) => operation === 'balances')
  }

  deleteWallet(address: string): void {
    for (const [hash, { parameters }] of this.#responses) {
      if (parameters.address === address) {
        this.#responses.delete(hash)
      }
    }
  }

  getKeys(queryKey: readonly unknown[]): ReadonlySet<string> | undefined {
    return this.#responses.get(getQueryHash(this.#client.queryClient, queryKey))?.keys
  }

  /** Notifies the observers of prices, each of them once. */
  notify(prices: readonly Price[]): void {
    this.update(prices)
    for (const price of prices) {
      this.#loadPast(price)
      this.#client.streams.poller.reschedule(price)
    }
  }

  update(prices: readonly Price[]): void {
    const updates = new Set<() => void>()
    for (const price of prices) {
      for (const { update } of price.observers) {
        updates.add(update)
      }
    }
    for (const update of updates) {
      update()
    }
  }

  /** Requests missing past prices, unless the next poll includes them. */
  #loadPast(price: Price): void {
    if (price.missingOffsets.length > 0 && price.mayLoad() && focusManager.isFocused()) {
      void this.#loader.load(price, 'background')
    }
  }

  readonly #readQuery = ({ queryKey, state }: Query): void => {
    const { data, dataUpdatedAt } = state
    const parsed = parseQueryKey(this.#client.scope, queryKey)
    if (!parsed || !isObject(data)) {
      return
    }
    this.#known.add(data)
    this.#client.connection.restore(state)
    this.#onResponse({
      ...parsed,
      response: data,
      sentAt: dataUpdatedAt,
      receivedAt: dataUpdatedAt,
    })
  }

  readonly #onResponse = (event: ResponseEvent): void => {
    const { operation, sentAt, receivedAt } = event
    const { balances, tokens, contract_address, response_time, warnings } =
      event.response as Partial<BalancesResponse & TokenInfoResponse>
    const rows: unknown = operation === 'tokenInfo' ? tokens : balances
    if (!Array.isArray(rows)) {
      return
    }
    const times = { sentAt, receivedAt, servedAt: Date.parse(response_time ?? '') }
    // A missing price may be one that was invalid.
    const hasInvalidFields = JSON.stringify(warnings ?? '').includes('MALFORMED_FIELDS')
    const keys = new Set<string>()
    const updated: Price[] = []
    for (const row of rows as PricedRow[]) {
      const price = this.get(row.chain_id, row.address ?? contract_address ?? '')
      keys.add(price.key)
      if (hasInvalidFields && row.price_usd === undefined) {
        continue
      }
      price.update(row, operation as PriceSource, times)
      if (price.observers.size > 0) {
        updated.push(price)
      }
    }
    const parameters = event.parameters as BalancesParameters
    // Further pages and price-only requests are not polled.
    if (!('offset' in parameters) && parameters.address !== zeroAddress) {
      const { queryClient, scope } = this.#client
      const hash = getQueryHash(queryClient, createQueryKey(scope, operation, parameters))
      this.#responses.delete(hash)
      this.#responses.set(hash, { operation, parameters, keys })
      evictOldest(this.#responses, maxResponses)
    }
    this.notify(updated)
  }
}

/** Keeps a map below a size by deleting a tenth of it at a time, the oldest entries that are not in use. */
function evictOldest<T>(map: Map<string, T>, maxSize: number, isInUse?: (value: T) => boolean) {
  if (map.size <= maxSize) {
    return
  }
  let remaining = maxSize / 10
  for (const [key, value] of map) {
    if (!isInUse?.(value) && map.delete(key) && --remaining <= 0) {
      return
    }
  }
}
