import type { BalancesParameters, BalancesResponse, TokenInfoResponse } from '@headwater/contract'
import { focusManager, hashKey, type Query } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import type { HeardAnswer } from '../operation/HeardAnswer.ts'
import { makeQueryKey, readQueryKey } from '../operation/queryKey.ts'
import { createPriceAsker, type AskPrice } from './createPriceAsker.ts'
import { nobody, type PricedWallet } from './planPrices.ts'
import { Price, type PricedRow, type PriceWatcher } from './Price.ts'
import type { PriceSource } from './PriceTick.ts'
import { priceKey } from './PriceToken.ts'

/** What was answered, and which prices it told. */
interface PriceAnswer extends PricedWallet {
  readonly operation: string
}

/**
 * What a client knows of prices: every price that any answer told, whoever asked for it, and those that caches brought by
 * other ways (hydration, persistence, other tabs).
 */
export interface PriceIndex {
  /** Asks for a price now, as somebody wants it. */
  readonly ask: AskPrice
  /** The price of a token, known or not. */
  price(chainId: number, address: string): Price
  /**
   * Watches a price from now on, and asks for it unless what is known will do.
   *
   * @returns Ends it.
   */
  watch(price: Price, watcher: PriceWatcher): () => void
}

/** Prices that nobody watches, and answers, are forgotten beyond these numbers. */
const mostPrices = 10_000
const mostAnswers = 100

/** The index of a client, made at its first use. */
export const priceIndexOf = /* @__PURE__ */ perClient((client: Client): PriceIndex => {
  const { queryClient, ssr, streams, baseUrl } = client
  const prices = new Map<string, Price>()
  /** What was asked that told prices, and which, by the hash of the question; what was answered longest ago first. */
  const answers = new Map<string, PriceAnswer>()
  const cache = queryClient.getQueryCache()
  const ask = createPriceAsker(client, {
    polled: () => [...prices.values()].filter(({ interval }) => interval < Infinity),
    wallets: () => [...answers.values()].filter(({ operation }) => operation === 'balances'),
    keysOf: (queryKey) => answers.get(hashKey(queryKey))?.keys,
    tell,
  })

  cache.getAll().forEach(read)
  const stopReading = cache.subscribe((event) => {
    // What was fetched was told by the network already.
    const isFromElsewhere =
      event.type === 'added' ||
      (event.type === 'updated' &&
        (event.action.type === 'setState' ||
          (event.action.type === 'success' && event.action.manual)))
    if (isFromElsewhere) read(event.query)
  })
  client.listeners.add(take)
  client.onDestroy(() => {
    stopReading()
    client.listeners.delete(take)
  })
  return { ask, price: find, watch }

  function find(chainId: number, address: string): Price {
    const key = priceKey(chainId, address)
    let price = prices.get(key)
    if (price) return price
    price = new Price((polled) => ask(polled, 1), chainId, address.toLowerCase())
    prices.set(key, price)
    forgetOldest(prices, mostPrices, ({ watchers }) => watchers.size > 0)
    return price
  }

  function watch(price: Price, watcher: PriceWatcher): () => void {
    const { watchers } = price
    // A mounted cache resumes retries that waited for the page to be seen.
    if (!ssr) queryClient.mount()
    watchers.add(watcher)
    // It may have been forgotten since it was found, as others were found after it.
    prices.set(price.key, price)
    if (watchers.size === 1) streams.poller.add(price)
    else streams.poller.update(price)
    if (price.isDueFor(watcher)) void ask(price)
    else askPast(price)
    return () => {
      if (!ssr) queryClient.unmount()
      watchers.delete(watcher)
      if (watcher.enabled) price.leftAt = Date.now()
      if (watchers.size === 0) streams.poller.remove(price)
    }
  }

  /** Asks for what is missing of its past, unless that is better left to the next poll. */
  function askPast(price: Price): void {
    if (price.missing.length > 0 && price.mayAsk() && focusManager.isFocused()) {
      void ask(price, 0)
    }
  }

  /** Tells whoever watches some prices that they may have changed, once each. */
  function tell(touched: readonly Price[]): void {
    const updates = new Set<() => void>()
    for (const price of touched) {
      for (const { update } of price.watchers) updates.add(update)
      askPast(price)
      streams.poller.update(price)
    }
    for (const update of updates) update()
  }

  function read({ queryKey, state: { data, dataUpdatedAt } }: Query): void {
    const asked = readQueryKey(baseUrl, queryKey)
    if (!asked || !data) return
    // A moment to come is of another clock.
    const receivedAt = Math.min(dataUpdatedAt, Date.now())
    take({ ...asked, answer: data, sentAt: receivedAt, receivedAt })
  }

  function take({ operation, parameters, answer, sentAt, receivedAt }: HeardAnswer): void {
    const { balances, tokens, contract_address, response_time, warnings } = answer as Partial<
      BalancesResponse & TokenInfoResponse
    >
    const rows: unknown = operation === 'tokenInfo' ? tokens : balances
    if (!Array.isArray(rows)) return
    const servedAt = Date.parse(response_time ?? '')
    // Which price is missing because it could not be read is not told.
    const isDoubtful = JSON.stringify(warnings ?? '').includes('MALFORMED_FIELDS')
    const keys = new Set<string>()
    const touched: Price[] = []
    for (const row of rows as PricedRow[]) {
      const price = find(row.chain_id, row.address ?? contract_address ?? '')
      keys.add(price.key)
      if (isDoubtful && row.price_usd === undefined) continue
      price.take(row, operation as PriceSource, sentAt, receivedAt, servedAt)
      if (price.watchers.size > 0) touched.push(price)
    }
    const asked = parameters as BalancesParameters
    // What nobody polls need not be remembered.
    if (!('offset' in asked) && asked.address !== nobody) {
      const hash = hashKey(makeQueryKey(baseUrl, operation, asked))
      answers.delete(hash)
      answers.set(hash, { operation, parameters: asked, keys })
      forgetOldest(answers, mostAnswers)
    }
    tell(touched)
  }
})

/** Lets a map not grow beyond a number of entries: drops a tenth, the eldest, at once, and keeps what somebody needs. */
function forgetOldest<T>(map: Map<string, T>, most: number, isNeeded?: (value: T) => boolean) {
  if (map.size <= most) return
  let left = most / 10
  for (const [key, value] of map) if (!isNeeded?.(value) && map.delete(key) && --left <= 0) return
}
