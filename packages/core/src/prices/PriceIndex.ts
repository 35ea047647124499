import type { BalancesParameters, BalancesResponse, TokenInfoResponse } from '@headwater/contract'
import { hashKey, type Query } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import { coverPrices } from './coverPrices.ts'
import type { PricedWallet } from './planPrices.ts'
import { Price, type PricedRow, type PriceWatcher } from './Price.ts'
import { PriceAsker } from './PriceAsker.ts'
import type { PriceSource } from './PriceTick.ts'
import { priceKey } from './PriceToken.ts'

/** An answer of the network or of the cache. */
interface Told {
  readonly operation: string
  readonly parameters: object
  readonly answer: object
  readonly receivedAt: number
}

/** Prices that nobody watches, and wallets, are forgotten beyond these numbers. */
const mostPrices = 10_000
const mostWallets = 50

/**
 * What a client knows of prices: every price that any answer told, whoever asked for it, and those that caches brought by
 * other ways (hydration, persistence, other tabs).
 */
export class PriceIndex {
  readonly #client: Client
  readonly #asker: PriceAsker
  readonly #prices = new Map<string, Price>()
  /** By question, the one that was answered longest ago first. */
  readonly #wallets = new Map<string, PricedWallet>()
  #coverage: { readonly at: number; readonly intervalOf: (key: string) => number } | undefined

  constructor(client: Client) {
    this.#client = client
    this.#asker = new PriceAsker(client, this)
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
      this.#asker.destroy()
    })
  }

  /** Wallets whose first page of balances is known. */
  get wallets(): readonly PricedWallet[] {
    return [...this.#wallets.values()]
  }

  /** What is known of the wallet of a question. */
  wallet(queryKey: readonly unknown[]): PricedWallet | undefined {
    return this.#wallets.get(hashKey(queryKey))
  }

  /** The prices that somebody watches. */
  get watched(): Price[] {
    return [...this.#prices.values()].filter(({ watchers }) => watchers.size > 0)
  }

  /** The price of a token, known or not. */
  price(chainId: number, address: string): Price {
    const key = priceKey(chainId, address)
    let price = this.#prices.get(key)
    if (price) return price
    price = new Price(this.#asker, chainId, address.toLowerCase())
    this.#prices.set(key, price)
    if (this.#prices.size > mostPrices) {
      for (const [key, { watchers }] of this.#prices) {
        if (watchers.size > 0) continue
        this.#prices.delete(key)
        break
      }
    }
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
      if (isDue || price.missing.length > 0) void this.#asker.ask(price, isDue)
    }
    return () => {
      if (!ssr) queryClient.unmount()
      price.watchers.delete(watcher)
      if (price.watchers.size === 0) streams.poller.remove(price)
    }
  }

  /** Whether something that is watched and polled at least that often tells a price. */
  isCovered(key: string, interval: number): boolean {
    const at = Date.now()
    if (this.#coverage?.at !== at) {
      this.#coverage = {
        at,
        intervalOf: coverPrices(this.#client.streams.watched(), this.#wallets),
      }
    }
    return this.#coverage.intervalOf(key) <= interval
  }

  /** Tells whoever watches some prices that they may have changed, once each. */
  tell(prices: readonly Price[]): void {
    const updates = new Set<() => void>()
    for (const price of prices) {
      for (const { update } of price.watchers) updates.add(update)
      if (price.missing.length > 0) void this.#asker.ask(price, false)
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
    if (operation === 'balances' && !('offset' in parameters)) this.#meet(parameters, keys)
    this.tell(touched)
  }

  /** Remembers which tokens a wallet's answer lists. */
  #meet(parameters: object, keys: ReadonlySet<string>): void {
    const hash = hashKey(['headwater', this.#client.baseUrl, 'balances', parameters])
    this.#wallets.delete(hash)
    this.#wallets.set(hash, { parameters: parameters as BalancesParameters, keys })
    this.#coverage = undefined
    if (this.#wallets.size <= mostWallets) return
    for (const oldest of this.#wallets.keys()) {
      this.#wallets.delete(oldest)
      break
    }
  }
}

/** The index of a client, made at its first use. */
export const priceIndexOf = perClient((client) => new PriceIndex(client))
