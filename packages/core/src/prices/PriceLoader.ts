import type { BalancesParameters, TokenBalanceParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { PriceUnavailableError } from '../errors/PriceUnavailableError.ts'
import { parseQueryKey } from '../queries/queryKey.ts'
import { planPriceRequests, type PricedWallet, type PriceRequest } from './planPriceRequests.ts'
import type { Price, PricePriority } from './Price.ts'
import { getSourceOperation, sendPriceRequest } from './sendPriceRequest.ts'

/** The prices and responses that a loader plans its requests with. */
export interface PriceStore {
  getPolledPrices(): Price[]
  /** Wallets with a known first page of balances. */
  getWallets(): PricedWallet[]
  /** Forgets a wallet, until a response of it arrives. */
  deleteWallet(address: string): void
  /** Keys of the prices in the latest response of a query; undefined before the first one. */
  getKeys(queryKey: readonly unknown[]): ReadonlySet<string> | undefined
  /** Notifies the observers of prices. */
  notify(prices: readonly Price[]): void
  /** Notifies the observers of prices that start or end to be fetched. */
  update(prices: readonly Price[]): void
}

interface SentRequest extends PriceRequest<Price> {
  /** Resolves with the error, if any. */
  readonly settled: Promise<unknown>
}

/** Maximum time to wait for responses in flight that may contain the requested prices. */
const maxWaitMs = 3000

/**
 * Loads prices in batches, as a DataLoader: all prices requested in one tick are planned together, as the requests that cost
 * the fewest units.
 */
export class PriceLoader {
  readonly #client: Client
  readonly #store: PriceStore
  /** Prices of the next batch. */
  readonly #pending = new Set<Price>()
  readonly #notifyOfFailure: (price: Price) => void
  readonly #notifyOfFetch: (price: Price) => void
  #batch: Promise<Map<Price, SentRequest>> | undefined
  #hasPastBalancePrices = true

  constructor(client: Client, store: PriceStore) {
    this.#client = client
    this.#store = store
    this.#notifyOfFailure = batch((prices) => store.notify(prices))
    this.#notifyOfFetch = batch((prices) => store.update(prices))
  }

  /** Loads a price and its missing past prices, or joins the request in flight. Never rejects. */
  load(price: Price, priority: PricePriority = 'user'): Promise<void> {
    const slot = priority === 'background' ? 'loadingPast' : 'loading'
    // A request of the user that joins a poll raises its priority.
    if (price.requested && priority === 'user') {
      price.requested = 'user'
    }
    price.isRefetched ||= price.observers.size === 0
    if (!price[slot]) {
      this.#notifyOfFetch(price)
    }
    return (price[slot] ??= this.#loadUntilKnown(price, priority)
      .catch((error: unknown) => {
        // Otherwise missing past prices would be requested again immediately.
        price.past.markRequested(price.missingOffsets)
        if (priority !== 'background') {
          price.requested = undefined
        }
        this.#fail(price, error)
      })
      .finally(() => {
        price[slot] = undefined
        this.#notifyOfFetch(price)
        if (priority !== 'background') {
          price.requested = undefined
          price.isRefetched = false
        }
        this.#client.streams.poller.reschedule(price)
      }))
  }

  /** Tries the sources of a price until a response contains it. */
  async #loadUntilKnown(price: Price, priority: PricePriority): Promise<void> {
    const isBackground = priority === 'background'
    if (isBackground) {
      price.isPastSent = false
    } else {
      price.requested ??= priority
    }
    while (isBackground ? price.missingOffsets.length > 0 : price.requested) {
      const { responseCount } = price
      this.#pending.add(price)
      const sent = await (this.#batch ??= Promise.resolve().then(() => this.#sendBatch()))
      const request = sent.get(price)
      if (!request) {
        // Another response contained the price meanwhile.
        price.cost = 0
      }
      if (!request || (!isBackground && !price.requested)) {
        return
      }
      const error = await request.settled
      if (price.responseCount > responseCount) {
        this.#onSuccess(price, request, error)
      } else if (!tryNextSource(this.#store, price, request, error)) {
        if (!isBackground && price.requested) {
          price.requested = undefined
          this.#fail(price, error ?? new PriceUnavailableError(price.key))
        }
        return
      }
    }
  }

  /** Plans and sends the requests of a batch. */
  async #sendBatch(): Promise<Map<Price, SentRequest>> {
    // Other tabs may deliver the prices.
    const { coordinator } = this.#client.streams.poller
    if (coordinator?.ready) {
      await coordinator.ready
    }
    await this.#waitForResponsesInFlight()
    this.#batch = undefined
    const items = [...this.#pending].filter(
      ({ requested, missingOffsets }) => requested || missingOffsets.length > 0,
    )
    this.#pending.clear()
    const sent = new Map<Price, SentRequest>()
    const store = this.#store
    for (const request of planPriceRequests(
      items,
      store.getPolledPrices(),
      store.getWallets(),
      this.#hasPastBalancePrices,
    )) {
      const { operation, parameters, offsets } = request
      const cost = this.#client.usageTracker.estimate(getSourceOperation(operation), parameters)
      for (const price of request.items) {
        price.past.markRequested(offsets)
        price.isPastSent = true
        price.cost = cost / request.items.length
      }
      const settled = sendPriceRequest(this.#client, request, cost)
      for (const price of request.items) {
        sent.set(price, { ...request, settled })
      }
    }
    return sent
  }

  /** Resolves when the responses in flight that may contain pending prices have arrived, or after a timeout. */
  async #waitForResponsesInFlight(): Promise<void> {
    const pending = [...this.#pending]
    const responses = this.#client.streams
      .getActiveQueries()
      .filter(
        ({ inFlight, queryKey }) =>
          inFlight && pending.some((price) => this.#mayContain(queryKey, price)),
      )
      .map(({ inFlight }) => Promise.resolve(inFlight))
    if (responses.length === 0) {
      return
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxWaitMs)
      void Promise.allSettled(responses).then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Whether the response of a query may contain a price: as its previous one did or, before that, by its parameters. */
  #mayContain(queryKey: readonly unknown[], { key, chainId, address }: Price): boolean {
    const keys = this.#store.getKeys(queryKey)
    if (keys) {
      return keys.has(key)
    }
    const { operation, parameters } = parseQueryKey(this.#client.scope, queryKey) ?? {}
    const {
      chainIds,
      tokenAddress,
      address: subject,
    } = (parameters ?? {}) as Partial<TokenBalanceParameters & BalancesParameters>
    if (operation === 'balances') {
      return !chainIds || chainIds.some((id) => id === chainId || typeof id === 'string')
    }
    return (
      (operation === 'tokenBalance' && address === tokenAddress) ||
      (operation === 'tokenInfo' && address === subject)
    )
  }

  #onSuccess(price: Price, { operation, offsets }: SentRequest, error: unknown): void {
    price.nextSource = price.firstSource
    if (error || operation !== 'tokenBalance' || offsets.length === 0) {
      return
    }
    if (offsets.some((offset) => price.past.find(offset))) {
      return
    }
    // The specification does not require past prices of a single balance.
    this.#hasPastBalancePrices = false
    price.past.unmarkRequested(offsets)
    this.#store.notify([price])
  }

  #fail(price: Price, error: unknown): void {
    price.fail(error)
    this.#notifyOfFailure(price)
  }
}

/** Calls a function once per tick, as many prices start or fail together. */
function batch(notify: (prices: readonly Price[]) => void): (price: Price) => void {
  const pending = new Set<Price>()
  return (price) => {
    if (pending.size === 0) {
      queueMicrotask(() => {
        const prices = [...pending]
        pending.clear()
        notify(prices)
      })
    }
    pending.add(price)
  }
}

/** Moves on to the next source of a price that a response did not contain. Returns false if there is none to try now. */
function tryNextSource(
  store: PriceStore,
  price: Price,
  { operation, parameters }: SentRequest,
  error: unknown,
): boolean {
  const { status } = (error ?? { status: 404 }) as { readonly status?: number }
  // A proxy may permit only some wallets (403). During an outage, or without a valid key (401, 402), trying other sources would
  // multiply the requests.
  if (status !== 400 && status !== 403 && status !== 404) {
    return false
  }
  switch (operation) {
    case 'balances':
      if (status === 403) {
        store.deleteWallet((parameters as BalancesParameters).address)
      }
      price.nextSource = 'tokenBalance'
      return true
    case 'tokenBalance':
      price.nextSource = price.firstSource = 'tokenInfo'
      return true
    case 'tokenInfo':
      // The service does not know the token, so no source is ruled out.
      price.nextSource = price.firstSource = 'balances'
      return false
  }
}
