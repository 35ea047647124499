import type { BalancesParameters, BalancesResponse, TokenInfoResponse } from '@headwater/contract'
import { hashKey, type Query } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import { nobody, type PricedWallet } from './planPrices.ts'
import { Price, type PricedRow, type PriceWatcher } from './Price.ts'
import { createPriceAsker, type AskPrice } from './createPriceAsker.ts'
import type { PriceSource } from './PriceTick.ts'
import { priceKey } from './PriceToken.ts'

/** An answer of the network or of the cache. */
interface Told {
  readonly operation: string
  readonly parameters: object
  readonly answer: object
  readonly receivedAt: number
}

/** What was answered, and which prices it told. */
interface PriceAnswer extends PricedWallet {
  readonly operation: string
}

/** Prices that nobody watches, and answers, are forgotten beyond these numbers. */
const mostPrices = 10_000
const mostAnswers = 100

/**
 * What a client knows of prices: every price that any answer told, whoever asked for it, and those that caches brought by
 * other ways (hydration, persistence, other tabs).
 */
export class PriceIndex {
  readonly #client: Client
  readonly #ask: AskPrice
  readonly #prices = new Map<string, Price>()
  /** What was asked that told prices, and which, by the hash of the question; what was answered longest ago first. */
  readonly #answers = new Map<string, PriceAnswer>()

  constructor(client: Client) {
    this.#client = client
    this.#ask = createPriceAsker(client, this)
    const cache = client.queryClient.getQueryCache()
    for (const query of cache.getAll()) this.#read(query)
    const stopReading = cache.subscribe((event) => {
      // What was fetched was told by the network already.
      const isFromElsewhere =
        event.type === 'added' ||
        (event.type === 'updated' &&
          (event.action.type === 'setState' ||
            (event.action.type === 'success' && event.action.manual)))
      if (isFromElsewhere) this.#read(event.query)
    })
    const stopHearing = client.answers.add((heard) => this.#take(heard))
    client.onDestroy(() => {
      stopReading()
      stopHearing()
    })
  }

  /** The wallets whose first page of balances is known. */
  get wallets(): PricedWallet[] {
    return [...this.#answers.values()].filter(({ operation }) => operation === 'balances')
  }

  /** The prices that somebody wants to be polled. */
  get polled(): Price[] {
    return [...this.#prices.values()].filter(({ interval }) => interval < Infinity)
  }

  /** Which prices the newest answer to a question told; undefined while it was not answered. */
  keysOf(queryKey: readonly unknown[]): ReadonlySet<string> | undefined {
    return this.#answers.get(hashKey(queryKey))?.keys
  }

  /** The price of a token, known or not. */
  price(chainId: number, address: string): Price {
    const key = priceKey(chainId, address)
    let price = this.#prices.get(key)
    if (price) return price
    price = new Price(this.#ask, chainId, address.toLowerCase())
    this.#prices.set(key, price)
    forgetOldest(this.#prices, mostPrices, ({ watchers }) => watchers.size > 0)
    return price
  }

  /**
   * Watches a price from now on, and asks for it unless what is known will do.
   *
   * @returns Ends it.
   */
  watch(price: Price, watcher: PriceWatcher): () => void {
    const { queryClient, ssr, streams } = this.#client
    // A mounted cache resumes retries that waited for the page to be seen.
    if (!ssr) queryClient.mount()
    price.watchers.add(watcher)
    if (price.watchers.size === 1) streams.poller.add(price)
    else streams.poller.update(price)
    if (watcher.enabled && price.mayAsk) {
      const isDue = price.isStale(watcher.staleTime)
      if (isDue || price.missing.length > 0) void this.#ask(price, isDue)
    }
    return () => {
      if (!ssr) queryClient.unmount()
      price.watchers.delete(watcher)
      if (price.watchers.size === 0) streams.poller.remove(price)
    }
  }

  /** Tells whoever watches some prices that they may have changed, once each. */
  tell(prices: readonly Price[]): void {
    const updates = new Set<() => void>()
    for (const price of prices) {
      for (const { update } of price.watchers) updates.add(update)
      if (price.missing.length > 0) void this.#ask(price, false)
      this.#client.streams.poller.update(price)
    }
    for (const update of updates) update()
  }

  #read({ queryKey, state: { data, dataUpdatedAt } }: Query): void {
    const [scope, baseUrl, operation, parameters] = queryKey
    if (scope !== 'headwater' || baseUrl !== this.#client.baseUrl || !data) return
    // A moment to come is of another clock.
    const receivedAt = Math.min(dataUpdatedAt, Date.now())
    this.#take({
      operation: String(operation),
      parameters: parameters as object,
      answer: data,
      receivedAt,
    })
  }

  #take({ operation, parameters, answer, receivedAt: heardAt }: Told): void {
    const { balances, tokens, contract_address, response_time, warnings } = answer as Partial<
      BalancesResponse & TokenInfoResponse
    >
    const rows: unknown = operation === 'tokenInfo' ? tokens : balances
    if (!Array.isArray(rows)) return
    const time = { heardAt, servedAt: Date.parse(response_time ?? '') }
    // Which price is missing because it could not be read is not told.
    const isDoubtful = JSON.stringify(warnings ?? '').includes('MALFORMED_FIELDS')
    const keys = new Set<string>()
    const touched: Price[] = []
    for (const row of rows as PricedRow[]) {
      const price = this.price(row.chain_id, row.address ?? contract_address ?? '')
      keys.add(price.key)
      if (isDoubtful && row.price_usd === undefined) continue
      price.take(row, operation as PriceSource, time)
      if (price.watchers.size > 0) touched.push(price)
    }
    this.#remember({ operation, parameters: parameters as BalancesParameters, keys })
    this.tell(touched)
  }

  /** Remembers which tokens an answer lists, except for answers that nobody polls. */
  #remember(answer: PriceAnswer): void {
    const { operation, parameters } = answer
    if ('offset' in parameters || parameters.address === nobody) return
    const hash = hashKey(['headwater', this.#client.baseUrl, operation, parameters])
    this.#answers.delete(hash)
    forgetOldest(this.#answers.set(hash, answer), mostAnswers)
  }
}

/** Lets a map not grow beyond a number of entries, and keeps what somebody needs. */
function forgetOldest<T>(map: Map<string, T>, most: number, isNeeded?: (value: T) => boolean) {
  if (map.size <= most) return
  for (const [key, value] of map) if (!isNeeded?.(value)) return void map.delete(key)
}

/** The index of a client, made at its first use. */
export const priceIndexOf = perClient((client) => new PriceIndex(client))
